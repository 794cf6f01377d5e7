"""Small idempotent repairs, each for one rule. The validator runs again on their result."""
