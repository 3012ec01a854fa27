"""Summaries of pages: what writes them, and the queue that sees to it that every page has one."""
