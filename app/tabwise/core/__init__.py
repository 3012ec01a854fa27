"""The pure half: text in, values out. No I/O, no clock, no browser; numpy and a stemmer only."""
