"""One generation of a view: the requests to a model, their answers, and when to retry."""
