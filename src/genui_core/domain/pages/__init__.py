"""The HTML pages of views: their frame, policy and data, the minimal view, and the error page."""
