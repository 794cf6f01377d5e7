"""One generation of a view: the questions to a model, and when to ask again."""
