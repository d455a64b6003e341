"""What the book takes in time, memory and weight, measured beside a peer within one run: `make bench`."""
