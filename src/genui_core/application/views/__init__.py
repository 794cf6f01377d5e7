"""Which view a tool has: stored, frozen, changed by a person, made in advance."""
