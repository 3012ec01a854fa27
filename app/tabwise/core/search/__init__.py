"""Both rankings and their fusion, and what they are stored as."""
