"""Small repairs, each for one rule; each changes nothing the second time. What they made is judged again."""
