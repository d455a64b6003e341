"""What the book costs, measured as ratios against a peer within one run: `make bench`."""
