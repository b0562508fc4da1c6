// Nothing is called by name: the library is preloaded.
