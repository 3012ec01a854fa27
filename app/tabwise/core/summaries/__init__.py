"""A page told in a few of its own sentences, and whether it is of interest."""
