"""What the demo page shows, on MicroPython: state, what events do to it, and views as plain data."""
