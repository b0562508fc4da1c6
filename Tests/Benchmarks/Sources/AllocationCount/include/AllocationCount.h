// The library is preloaded, so it has no declarations for callers.
