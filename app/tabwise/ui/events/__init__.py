"""What happens on each event, by area. A handler is (state, event) → (state, effects)."""
