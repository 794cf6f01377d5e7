"""Takes views out of what models write, checks them against the rules of SPEC §7, and mends what is mechanical."""
