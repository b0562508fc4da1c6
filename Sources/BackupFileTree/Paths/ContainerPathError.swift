/// A path that names nothing inside a container.
public struct ContainerPathError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path as it was given, on one line.
  public let path: String
  /// What is wrong with it and what to write instead.
  public let reason: String

  /// The whole sentence.
  public var description: String { "'\(path)' \(reason)" }
}

extension ContainerPath {
  /// What keeps `bytes` from being a path in a container, or nil.
  static func problem(in bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "is empty: name an item, such as 'Documents/notes.txt'" }
    if bytes.first == separator {
      return "is absolute: write it relative to the container, such as 'Documents/notes.txt'"
    }
    if bytes.contains(0) { return "has a NUL character, which no file name can hold" }
    if bytes.count > longestPath { return "has \(bytes.count) bytes; at most \(longestPath) fit" }
    let components = bytes.split(separator: separator, omittingEmptySubsequences: false)
    if components.count > deepestPath {
      return "has \(components.count) components; at most \(deepestPath) fit"
    }
    return components.lazy.compactMap { problem(inComponent: Array($0)) }.first
  }

  /// What keeps `component` from being a name, or nil.
  private static func problem(inComponent component: [UInt8]) -> String? {
    if component.isEmpty { return "has an empty component: write a single '/' between names" }
    if component == Array(".".utf8) { return "has the component '.': leave it out" }
    if component == Array("..".utf8) {
      return "has the component '..': a path cannot leave the container"
    }
    if component.count > Component.longestName {
      return "has a name of \(component.count) bytes; at most \(Component.longestName) fit"
    }
    return nil
  }
}
