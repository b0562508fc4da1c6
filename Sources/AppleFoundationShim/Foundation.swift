// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public import Foundation
  public import FoundationNetworking

  public struct Selector: Hashable, ExpressibleByStringLiteral, Sendable {
    public let name: String

    public init(_ name: String) { self.name = name }
    public init(stringLiteral name: String) { self.name = name }
  }

  public func autoreleasepool<Value, Failure: Error>(
    invoking body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body()
  }

  public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
  public typealias CFAbsoluteTime = Double

  public let NSEC_PER_MSEC: UInt64 = 1_000_000
  public let NSEC_PER_SEC: UInt64 = 1_000_000_000

  public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

  /// Calls its accessors at once: a test has no other process that changes the app's files.
  public final class NSFileCoordinator: NSObject {
    public struct ReadingOptions: OptionSet, Sendable {
      public static let withoutChanges = ReadingOptions(rawValue: 1)
      public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
      public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
      public static let forUploading = ReadingOptions(rawValue: 8)

      public let rawValue: UInt

      public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public struct WritingOptions: OptionSet, Sendable {
      public static let forDeleting = WritingOptions(rawValue: 1)
      public static let forMoving = WritingOptions(rawValue: 2)
      public static let forMerging = WritingOptions(rawValue: 4)
      public static let forReplacing = WritingOptions(rawValue: 8)
      public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)

      public let rawValue: UInt

      public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public init(filePresenter: (any NSFilePresenter)? = nil) {}

    public static func addFilePresenter(_ presenter: any NSFilePresenter) {}
    public static func removeFilePresenter(_ presenter: any NSFilePresenter) {}

    public func coordinate(
      readingItemAt url: URL, options: ReadingOptions = [], error: NSErrorPointer,
      byAccessor read: (URL) -> Void
    ) {
      read(url)
    }

    public func coordinate(
      writingItemAt url: URL, options: WritingOptions = [], error: NSErrorPointer,
      byAccessor write: (URL) -> Void
    ) {
      write(url)
    }

    public func coordinate(
      readingItemAt source: URL, options: ReadingOptions = [], writingItemAt target: URL,
      options writingOptions: WritingOptions = [], error: NSErrorPointer,
      byAccessor copy: (URL, URL) -> Void
    ) {
      copy(source, target)
    }

    public func coordinate(
      writingItemAt source: URL, options: WritingOptions = [], writingItemAt target: URL,
      options otherOptions: WritingOptions = [], error: NSErrorPointer,
      byAccessor move: (URL, URL) -> Void
    ) {
      move(source, target)
    }

    public func item(at source: URL, didMoveTo target: URL) {}
    public func cancel() {}
  }

  public protocol NSFilePresenter: NSObjectProtocol {
    var presentedItemURL: URL? { get }
    var presentedItemOperationQueue: OperationQueue { get }
  }

  extension URL {
    public struct BookmarkCreationOptions: OptionSet, Sendable {
      public static let minimalBookmark = BookmarkCreationOptions(rawValue: 512)
      public static let suitableForBookmarkFile = BookmarkCreationOptions(rawValue: 1024)

      public let rawValue: UInt

      public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public struct BookmarkResolutionOptions: OptionSet, Sendable {
      public static let withoutUI = BookmarkResolutionOptions(rawValue: 256)
      public static let withoutMounting = BookmarkResolutionOptions(rawValue: 512)

      public let rawValue: UInt

      public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public func startAccessingSecurityScopedResource() -> Bool { true }
    public func stopAccessingSecurityScopedResource() {}

    /// The bookmark is the path, so it does not follow an item that moves.
    public func bookmarkData(
      options: BookmarkCreationOptions = [],
      includingResourceValuesForKeys keys: Set<URLResourceKey>? = nil, relativeTo base: URL? = nil
    ) throws -> Data {
      guard try checkResourceIsReachable() else { throw CocoaError(.fileNoSuchFile) }
      return Data(path.utf8)
    }

    public init(
      resolvingBookmarkData data: Data, options: BookmarkResolutionOptions = [],
      relativeTo base: URL? = nil, bookmarkDataIsStale isStale: inout Bool
    ) throws {
      let url = URL(fileURLWithPath: String(decoding: data, as: UTF8.self))
      guard try url.checkResourceIsReachable() else { throw CocoaError(.fileNoSuchFile) }
      isStale = false
      self = url
    }
  }

  extension ProcessInfo {
    public var isiOSAppOnMac: Bool { false }
    public var isMacCatalystApp: Bool { false }
  }

  extension URLSessionConfiguration {
    /// Linux has no background sessions: what is loaded ends with the process.
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
      .default
    }

    /// Nothing launches an app on Linux.
    public var sessionSendsLaunchEvents: Bool {
      get { true }
      set {}
    }
  }

  extension URLResourceKey {
    public static let volumeAvailableCapacityForImportantUsageKey = volumeAvailableCapacityKey
  }

  extension URLResourceValues {
    public var volumeAvailableCapacityForImportantUsage: Int64? {
      volumeAvailableCapacity.map(Int64.init)
    }
  }

  extension FileManager {
    public var ubiquityIdentityToken: (any NSCoding & NSObjectProtocol)? { nil }

    public func url(forUbiquityContainerIdentifier identifier: String?) -> URL? { nil }
    public func isUbiquitousItem(at url: URL) -> Bool { false }
    public func startDownloadingUbiquitousItem(at url: URL) throws {}
    public func evictUbiquitousItem(at url: URL) throws { throw CocoaError(.featureUnsupported) }
  }

  extension NotificationCenter {
    /// Cannot call the method, because Linux has no selectors. Says so when a notification comes.
    public func addObserver(
      _ observer: Any, selector: Selector, name: Notification.Name?, object: Any?
    ) {
      let type = "\(Swift.type(of: observer))"
      _ = addObserver(forName: name, object: object, queue: nil) { notification in
        let missed =
          "\(notification.name.rawValue) came, but \(type).\(selector.name) was not called"
        let line = "AppleShim: \(missed): Linux has no selectors. Observe it with a closure.\n"
        FileHandle.standardError.write(Data(line.utf8))
      }
    }
  }
#endif
