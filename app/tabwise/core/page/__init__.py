"""A page from what was captured to its blocks and chunks."""
