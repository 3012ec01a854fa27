"""The outside world behind the ports. Imported by entry points alone."""
