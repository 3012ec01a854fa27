"""view(state) → nodes: what the panel shows, without a thought about how it is drawn."""
