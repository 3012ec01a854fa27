"""A Qdrant, on this machine or in the cloud, through its REST interface."""
