"""Main content: what of a page is the content and what is navigation, banners, footers."""
