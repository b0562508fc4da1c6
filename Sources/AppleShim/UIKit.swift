// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public import Foundation

  /// Holds the data that it was made of.
  public final class UIImage: NSObject, @unchecked Sendable {
    private let data: Data

    public init?(data: Data) {
      guard !data.isEmpty else { return nil }
      self.data = data
    }

    public convenience init?(data: Data, scale: CGFloat) { self.init(data: data) }

    public convenience init?(contentsOfFile path: String) {
      guard let data = FileManager.default.contents(atPath: path) else { return nil }
      self.init(data: data)
    }

    public var size: CGSize { .zero }
    public var scale: CGFloat { 1 }

    public func pngData() -> Data? { data }
    public func jpegData(compressionQuality: CGFloat) -> Data? { data }
  }

  public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
  }

  public final class UIApplication: NSObject, @unchecked Sendable {
    public enum State: Int, Sendable {
      case active, inactive, background
    }

    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }
    }

    public static let shared = UIApplication()

    public static let didEnterBackgroundNotification = name("DidEnterBackground")
    public static let willEnterForegroundNotification = name("WillEnterForeground")
    public static let didBecomeActiveNotification = name("DidBecomeActive")
    public static let willResignActiveNotification = name("WillResignActive")
    public static let willTerminateNotification = name("WillTerminate")
    public static let didReceiveMemoryWarningNotification = name("DidReceiveMemoryWarning")
    public static let openSettingsURLString = "app-settings:"

    /// Nil until a test sets it. Nothing calls its methods.
    public weak var delegate: (any UIApplicationDelegate)?

    public var applicationState: State { .active }
    public var isProtectedDataAvailable: Bool { true }
    public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }

    public func beginBackgroundTask(
      withName name: String? = nil, expirationHandler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
      UIBackgroundTaskIdentifier(rawValue: 1)
    }

    public func endBackgroundTask(_ task: UIBackgroundTaskIdentifier) {}

    private static func name(_ event: String) -> Notification.Name {
      Notification.Name("UIApplication\(event)Notification")
    }
  }

  public protocol UIApplicationDelegate: NSObjectProtocol {}

  public final class UIDevice: NSObject, @unchecked Sendable {
    public static let current = UIDevice()

    public var name: String { "iPhone" }
    public var model: String { "iPhone" }
    public var systemName: String { "iOS" }
    public var systemVersion: String { "18.0" }
    public var identifierForVendor: UUID? { nil }
  }

  /// The screen of an iPhone 16.
  public final class UIScreen: NSObject, Sendable {
    public static let main = UIScreen()

    public var bounds: CGRect { CGRect(x: 0, y: 0, width: 393, height: 852) }
    public var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: 1179, height: 2556) }
    public var scale: CGFloat { 3 }
    public var nativeScale: CGFloat { 3 }
  }
#endif
