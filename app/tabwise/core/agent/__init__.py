"""The agent: a model that looks for itself, with tools that only read. Pure: the engine acts on it."""
