// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  import Foundation

  /// How much of a value a log shows. Here a log shows everything.
  public struct OSLogPrivacy: Sendable {
    public struct Mask: Sendable {
      public static let hash = Mask()
      public static let none = Mask()
    }

    public static let `public` = OSLogPrivacy()
    public static let `private` = OSLogPrivacy()
    public static let sensitive = OSLogPrivacy()
    public static let auto = OSLogPrivacy()

    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
  }

  public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    public struct StringInterpolation: StringInterpolationProtocol {
      var text = ""

      public init(literalCapacity: Int, interpolationCount: Int) {}

      public mutating func appendLiteral(_ literal: String) { text += literal }

      public mutating func appendInterpolation(
        _ value: @autoclosure () -> some Any, privacy: OSLogPrivacy = .auto
      ) {
        text += "\(value())"
      }
    }

    let text: String

    public init(stringLiteral text: String) { self.text = text }
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  }

  public struct OSLogType: Equatable, Sendable, RawRepresentable {
    public static let `default` = OSLogType(rawValue: 0)
    public static let info = OSLogType(rawValue: 1)
    public static let debug = OSLogType(rawValue: 2)
    public static let error = OSLogType(rawValue: 16)
    public static let fault = OSLogType(rawValue: 17)

    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  public final class OSLog: Sendable {
    public static let `default` = OSLog(subsystem: "", category: "")
    public static let disabled = OSLog(subsystem: "", category: "")

    public let subsystem, category: String

    public init(subsystem: String, category: String) {
      (self.subsystem, self.category) = (subsystem, category)
    }
  }

  /// Writes to standard error, which the kit keeps with a failed test.
  public struct Logger: Sendable {
    let category: String

    public init() { category = "" }
    public init(_ log: OSLog) { category = log.category }
    public init(subsystem: String, category: String) { self.category = category }

    public func log(_ message: OSLogMessage) { write(message.text) }
    public func log(level: OSLogType, _ message: OSLogMessage) { write(message.text) }
    public func trace(_ message: OSLogMessage) { write(message.text) }
    public func debug(_ message: OSLogMessage) { write(message.text) }
    public func info(_ message: OSLogMessage) { write(message.text) }
    public func notice(_ message: OSLogMessage) { write(message.text) }
    public func warning(_ message: OSLogMessage) { write(message.text) }
    public func error(_ message: OSLogMessage) { write(message.text) }
    public func critical(_ message: OSLogMessage) { write(message.text) }
    public func fault(_ message: OSLogMessage) { write(message.text) }

    func write(_ text: String) {
      FileHandle.standardError.write(
        Data("\(category.isEmpty ? "" : "[\(category)] ")\(text)\n".utf8))
    }
  }

  public func os_log(
    _ format: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
    type: OSLogType = .default, _ arguments: Any...
  ) {
    Logger(log).write(formatted(format, arguments))
  }

  public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
    _ format: StaticString, _ arguments: Any...
  ) {
    Logger(log).write(formatted(format, arguments))
  }

  public func os_log(_ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage) {
    Logger(log).write(message.text)
  }

  private func formatted(_ format: StaticString, _ values: [Any]) -> String {
    // On Linux a string is no object, which "%@" needs.
    let arguments = values.map { value in
      value as? any CVarArg ?? NSString(string: "\(value)")
    }
    let plain = "\(format)".replacingOccurrences(
      of: "%\\{[^}]*\\}", with: "%", options: .regularExpression)
    return String(format: plain, arguments: arguments)
  }

  /// A lock around a value.
  public final class OSAllocatedUnfairLock<State>: @unchecked Sendable {
    fileprivate let mutex = NSLock()
    private var state: State

    public init(initialState: State) { state = initialState }
    public init(uncheckedState: State) { state = uncheckedState }

    public func withLock<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
      mutex.lock()
      defer { mutex.unlock() }
      return try body(&state)
    }

    public func withLockUnchecked<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
      try withLock(body)
    }
  }

  extension OSAllocatedUnfairLock where State == Void {
    public convenience init() { self.init(initialState: ()) }
    public func lock() { mutex.lock() }
    public func unlock() { mutex.unlock() }
  }
#endif
