import BackupDiagnostics

/// A path inside an app container, relative to it: `Documents/notes.db`.
///
/// It is never absolute or empty, has no `.`, `..` or empty component and no NUL, so it cannot name
/// anything outside the container. It is the only way in: every operation takes one.
///
/// ```swift
/// let notes = try ContainerPath("Documents/notes.db")
/// notes.parent?.description  // "Documents"
/// ```
public struct ContainerPath: Hashable, Sendable {
  /// The path's bytes, components joined by `/`, without one at either end.
  public let bytes: [UInt8]

  /// The longest path a container holds, in bytes: `PATH_MAX` on Apple platforms.
  public static let longestPath = 1024
  /// The most components of a path: what walks a tree goes down that far on any thread's stack.
  public static let deepestPath = 64

  /// Validates a path written by a person, of at most ``longestPath`` bytes; one trailing `/` is
  /// allowed.
  ///
  /// - Parameter string: Relative to the container, components joined by `/`; read as UTF-8.
  /// - Throws: ``ContainerPathError`` that says which part is wrong.
  public init(_ string: some StringProtocol) throws(ContainerPathError) {
    try self.init(bytes: Array(string.utf8))
  }

  /// Validates a path of any bytes, at most ``longestPath`` of them.
  ///
  /// - Parameter bytes: Relative to the container, components joined by `/`; need not be UTF-8.
  /// - Throws: ``ContainerPathError`` that says which part is wrong.
  public init(bytes: [UInt8]) throws(ContainerPathError) {
    let trimmed = bytes.last == Self.separator && bytes.count > 1 ? Array(bytes.dropLast()) : bytes
    if let reason = Self.problem(in: trimmed) {
      throw ContainerPathError(path: EscapedText.escape(bytes), reason: reason)
    }
    self.bytes = trimmed
  }

  /// A path whose parts were validated before, or that is made of such parts.
  package init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The path of an item right in the container.
  ///
  /// - Parameter component: The item's name.
  public init(_ component: Component) {
    self.bytes = component.bytes
  }

  package static let separator = UInt8(ascii: "/")
}

extension ContainerPath {
  /// Hashes all bytes at once, which an array does one by one.
  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension ContainerPath: CustomStringConvertible {
  /// The path on one line, control characters and invalid UTF-8 escaped.
  public var description: String { EscapedText.escape(bytes) }

  /// The path as text, with invalid UTF-8 replaced and nothing escaped.
  public var string: String { String(decoding: bytes, as: UTF8.self) }
}

extension ContainerPath {
  /// What keeps `bytes` from being a path in a container, or nil.
  static func problem(in bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "is empty: name an item, such as 'Documents/notes.txt'" }
    if bytes.first == separator {
      return "is absolute: write it relative to the container, such as 'Documents/notes.txt'"
    }
    if bytes.contains(0) { return "has a NUL character, which no file name can contain" }
    if bytes.count > longestPath {
      return "has \(bytes.count) bytes; a path can have at most "
        + "\(longestPath)"
    }
    let components = bytes.split(separator: separator, omittingEmptySubsequences: false)
    if components.count > deepestPath {
      return "has \(components.count) components; a path can have at most \(deepestPath)"
    }
    for component in components {
      if let problem = problem(inComponent: component) { return problem }
    }
    return nil
  }

  /// What keeps `component` from being a name, or nil.
  private static func problem(inComponent component: ArraySlice<UInt8>) -> String? {
    if component.isEmpty { return "has an empty component: write a single '/' between names" }
    if component.elementsEqual(".".utf8) { return "has the component '.': remove it" }
    if component.elementsEqual("..".utf8) {
      return "has the component '..': a path cannot leave the container"
    }
    if component.count > Component.longestName {
      return "has a name of \(component.count) bytes; a name can have at most "
        + "\(Component.longestName)"
    }
    return nil
  }
}

/// A path that names nothing inside a container.
public struct ContainerPathError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path as it was given, on one line.
  public let path: String
  /// What is wrong with it and what to write instead.
  public let reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The path and what is wrong with it, as a sentence.
  public var description: String { "'\(path)' \(reason)" }
}
