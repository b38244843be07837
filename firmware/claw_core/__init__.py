"""claw_core: the agent loop, its console, its configuration and the model providers."""
