// A target needs a file of its own.
