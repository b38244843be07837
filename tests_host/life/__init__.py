"""A scripted life of one user on the simulated board, logged, and checked from the logs alone."""
