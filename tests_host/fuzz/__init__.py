"""The corruption fuzzer: damaged stores, opened and used like sound ones."""
