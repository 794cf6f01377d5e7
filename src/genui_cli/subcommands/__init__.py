"""Commands beside the proxy and the preview. None loads more than the command line library before it runs."""
