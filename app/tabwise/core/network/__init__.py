"""What may leave this machine, in which words, and what comes back."""
