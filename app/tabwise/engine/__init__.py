"""Use cases over the ports: index, search, ask, library; jobs with progress and cancel."""
