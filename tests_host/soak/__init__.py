"""The soak: thousands of turns on the simulated board, with resets and power cuts."""
