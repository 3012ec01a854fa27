"""The demo page: the extension's own engine on a small corpus, every stage of it drawn."""
