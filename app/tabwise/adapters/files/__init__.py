"""Files as captures, without a browser: HTML, Markdown and plain text, in whatever character set."""
