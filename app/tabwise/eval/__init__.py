"""Measuring retrieval and answers on public collections, with the product's own code."""
