"""What the doctor tries beyond the proxy itself: the hosts of this machine, and views in a browser."""
