"""The agent at work: its tools over the library, and the runner that does what `core.agent` decides."""
