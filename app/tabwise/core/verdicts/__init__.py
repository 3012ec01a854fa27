"""Whether a sentence stands in the text it cites: rules by kind of fact."""
