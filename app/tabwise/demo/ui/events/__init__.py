"""What happens on the page, by topic: each module has ACTIONS of its controls and TOLD by the engine."""
