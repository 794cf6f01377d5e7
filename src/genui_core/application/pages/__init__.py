"""Pages: the cache, exports, and what a page was built of."""
