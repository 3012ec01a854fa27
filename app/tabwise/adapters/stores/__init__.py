"""Where the library is kept."""
