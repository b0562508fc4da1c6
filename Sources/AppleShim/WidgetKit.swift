// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  import Foundation

  /// Has no widgets: code that saves tells them of it.
  public final class WidgetCenter: Sendable {
    public static let shared = WidgetCenter()

    public func reloadAllTimelines() {}
    public func reloadTimelines(ofKind kind: String) {}
  }
#endif
