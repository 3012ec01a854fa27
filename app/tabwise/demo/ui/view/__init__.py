"""One module per stage of the page; each view is a function from state to nodes."""
