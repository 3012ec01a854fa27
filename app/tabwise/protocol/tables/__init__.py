"""The tables of the message schema, one module for each part of the product."""
