#if os(Linux)
  @_exported import AppleFoundationShim
#endif
