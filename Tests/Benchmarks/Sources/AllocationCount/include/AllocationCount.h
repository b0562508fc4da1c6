// The library is preloaded, so nothing in it is called by name.
