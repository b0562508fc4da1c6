// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public enum ColorScheme: CaseIterable, Sendable {
    case light, dark
  }
#endif
