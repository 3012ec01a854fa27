"""Running language models of this machine."""
