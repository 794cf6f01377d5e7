"""The defaults of a wrapper's collaborators, and guards around other packages' stores."""
