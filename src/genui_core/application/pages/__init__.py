"""Pages: the page cache, exported pages, and the sources of pages that come back."""
