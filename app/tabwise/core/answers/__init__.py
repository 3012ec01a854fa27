"""From a question and passages to an answer that cites, and how it came about."""
