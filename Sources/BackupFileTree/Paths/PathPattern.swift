public import BackupDiagnostics

/// A pattern that matches whole container paths.
///
/// `*` stands for any text within a component, `?` for one character, and `**` for any number of
/// components. Every other character stands for itself. `**` can stand for no component, so
/// `Documents/**` also matches `Documents` itself. The time for a match is proportional to the
/// pattern's length times the path's length.
///
/// A pattern whose first component ends in a colon matches paths in containers of groups and
/// extensions: `group.x:/**` in one container, `*:/**` in all of them. Any other pattern matches
/// only paths in the app's own container, even if the pattern begins with `**`.
///
/// ```swift
/// let pattern = try PathPattern("Library/**/*.mp4")
/// pattern.matches(try ContainerPath("Library/Movies/1.mp4"))  // true
/// ```
public struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  enum Part: Hashable, Sendable {
    /// `**`.
    case anyComponents
    /// Any other component, as Unicode scalars.
    case component([Unicode.Scalar])
  }

  let parts: [Part]
  /// The pattern as it was written.
  public let description: String

  /// Creates a pattern from a text that is valid as a path.
  ///
  /// - Parameter text: A text relative to the container, of at most ``ContainerPath/longestPath``
  ///   bytes.
  /// - Throws: ``RunError`` with the code `.invalidPath`, for example for `..`, a leading `/` or a
  ///   NUL.
  public init(_ text: String) throws(RunError) {
    let path = try ContainerPath(text)
    self.description = text
    self.parts = path.components.map { component in
      component.bytes == [0x2A, 0x2A] ? .anyComponents : .component(Array(component.scalars))
    }
  }

  /// Creates a pattern, or returns nil if the text is not a valid pattern.
  package init?(ifValid text: String) {
    guard let pattern = try? PathPattern(text) else { return nil }
    self = pattern
  }

  /// Returns true if a path matches.
  ///
  /// - Parameter path: The path of an item. All its components must match.
  /// - Returns: True also for the directory itself if the pattern ends in `/**`.
  public func matches(_ path: ContainerPath) -> Bool { matches(path.nameScalars) }

  /// Returns true if a path with these names matches.
  private func matches(_ names: [[Unicode.Scalar]]) -> Bool {
    guard namesContainer || !Self.isContainer(names[0]) else { return false }
    return Self.matches(parts, names, isStar: { $0 == .anyComponents }) { part, name in
      guard case .component(let pattern) = part else { return false }
      return Self.matches(pattern, name, isStar: { $0 == "*" }) { $0 == "?" || $0 == $1 }
    }
  }

  /// Returns true if a path matches. Here, `**` at the end stands for at least one component.
  ///
  /// Readers of assertions expect that `Documents/**` means all items in `Documents`, but not
  /// `Documents` itself.
  ///
  /// - Parameter path: The path of an item. All its components must match.
  /// - Returns: As ``matches(_:)``, except that `Documents/**` does not match `Documents`.
  public func matchesInside(_ path: ContainerPath) -> Bool {
    matches(path.nameScalars, mustBeInside: true)
  }

  /// Returns true if a path with these names matches. If `mustBeInside` is true, `**` at the end
  /// stands for at least one component.
  func matches(_ names: [[Unicode.Scalar]], mustBeInside: Bool) -> Bool {
    guard mustBeInside, parts.last == .anyComponents, parts.count > 1 else { return matches(names) }
    return names.count > 1 && matches(Array(names.dropLast()))
  }

  /// True if the pattern matches paths in containers of groups or extensions.
  package var namesContainer: Bool {
    guard case .component(let scalars) = parts[0] else { return false }
    return scalars.last == ":"
  }

  /// Returns true if a path's first name is that of a group's or extension's container.
  private static func isContainer(_ name: [Unicode.Scalar]) -> Bool {
    guard name.last == ":" else { return false }
    let text = String(String.UnicodeScalarView(name))
    return ContainerPath.Component(unchecked: Array(text.utf8)).isContainer
  }

  /// Returns true if this pattern surely matches every path that `other` matches.
  ///
  /// - Parameter other: The pattern that may match fewer paths.
  /// - Returns: False if this is not sure, and always false unless this pattern ends in `**` and
  ///   has no other `**`.
  public func surelyCovers(_ other: PathPattern) -> Bool {
    guard parts.last == .anyComponents, !parts.dropLast().contains(.anyComponents),
      namesContainer == other.namesContainer, other.parts.count >= parts.count - 1
    else { return false }
    return zip(parts.dropLast(), other.parts).allSatisfy { ownPart, otherPart in
      guard case .component(let pattern) = ownPart, case .component(let name) = otherPart else {
        return false
      }
      return Self.matches(pattern, name, isStar: { $0 == "*" }) {
        $0 == $1 || $0 == "?" && $1 != "*"
      }
    }
  }

  /// The components at the beginning of the pattern, before the first component with a wildcard.
  public var fixedPrefix: String {
    let names = description.unicodeScalars.split(separator: "/")
    return names.prefix { !$0.contains("*") && !$0.contains("?") }.map(String.init)
      .joined(separator: "/")
  }

  /// Returns true if a pattern matches some elements. A star is a symbol that matches any number of
  /// elements. After a mismatch, the search goes back only to the last star.
  private static func matches<Symbol, Element>(
    _ pattern: [Symbol], _ elements: [Element], isStar: (Symbol) -> Bool,
    _ equals: (Symbol, Element) -> Bool
  ) -> Bool {
    var (symbolIndex, elementIndex) = (0, 0)
    var lastStar: (symbolIndex: Int, elementIndex: Int)?
    while elementIndex < elements.count {
      if symbolIndex < pattern.count, isStar(pattern[symbolIndex]) {
        lastStar = (symbolIndex, elementIndex)
        symbolIndex += 1
      } else if symbolIndex < pattern.count, equals(pattern[symbolIndex], elements[elementIndex]) {
        (symbolIndex, elementIndex) = (symbolIndex + 1, elementIndex + 1)
      } else if let star = lastStar {
        lastStar = (star.symbolIndex, star.elementIndex + 1)
        (symbolIndex, elementIndex) = (star.symbolIndex + 1, star.elementIndex + 1)
      } else {
        return false
      }
    }
    return pattern[symbolIndex...].allSatisfy(isStar)
  }

  /// The text that every matching path has. A search for this text rules out most other paths.
  var fixedText: FixedText {
    let wildcardIndices = parts.indices.filter { parts[$0].fixedName == nil }
    guard let firstWildcardIndex = wildcardIndices.first,
      let lastWildcardIndex = wildcardIndices.last
    else {
      let beginning = Self.joined(parts[...].compactMap(\.fixedName))
      return FixedText(beginning: beginning, reversedEnding: [], longestMiddleName: nil)
    }
    let beginning =
      parts[..<firstWildcardIndex].compactMap(\.fixedName)
      + parts[firstWildcardIndex].fixedBeginning
    let ending =
      parts[lastWildcardIndex].fixedEnding
      + parts[(lastWildcardIndex + 1)...].compactMap(\.fixedName)
    let middleNames = parts[firstWildcardIndex...lastWildcardIndex].compactMap(\.fixedName)
    return FixedText(
      beginning: Self.joined(beginning), reversedEnding: Self.joined(ending).reversed(),
      longestMiddleName: middleNames.max { $0.count < $1.count }
    )
  }

  /// The path of the innermost item that contains all matches, or is one of them. Nil if matches
  /// can be anywhere in the container.
  var fixedDirectory: ContainerPath? {
    let names = parts.prefix { $0.fixedName != nil }.compactMap(\.fixedName)
    return names.isEmpty ? nil : ContainerPath(unchecked: Self.joined(names))
  }

  /// Returns paths that together cover all matches of some patterns. None of these paths is inside
  /// another. Returns nil if matches can be anywhere in the container.
  package static func coveringPaths(of patterns: [PathPattern]) -> [ContainerPath]? {
    var directories: Set<ContainerPath> = []
    for pattern in patterns {
      guard let directory = pattern.fixedDirectory else { return nil }
      directories.insert(directory)
    }
    return directories.filter { !$0.ancestors.contains(where: directories.contains) }.sorted()
  }

  private static func joined(_ names: [[UInt8]]) -> [UInt8] {
    Array(names.joined(separator: [ContainerPath.separator]))
  }
}

extension ContainerPath {
  /// The characters of each name. Replacement characters stand for bytes that are not UTF-8.
  var nameScalars: [[Unicode.Scalar]] { components.map { Array($0.scalars) } }
}

extension ContainerPath.Component {
  /// The characters of the name. Replacement characters stand for bytes that are not UTF-8.
  fileprivate var scalars: String.UnicodeScalarView { string.unicodeScalars }
}

/// The texts in UTF-8 that every match of a pattern has.
struct FixedText {
  let beginning: [UInt8]
  /// The ending of the path, its last byte first.
  let reversedEnding: [UInt8]
  /// The longest name without wildcards between the beginning and the ending; nil if all names
  /// there have wildcards.
  let longestMiddleName: [UInt8]?
}

extension PathPattern.Part {
  /// The only name that the part matches; nil if it has wildcards.
  fileprivate var fixedName: [UInt8]? {
    guard case .component(let scalars) = self, !scalars.contains(where: \.isWildcard) else {
      return nil
    }
    return scalars.utf8
  }

  /// The beginning of every name that the part matches. The list is empty for `**`, which may match
  /// no name.
  fileprivate var fixedBeginning: [[UInt8]] {
    guard case .component(let scalars) = self else { return [] }
    return [scalars.prefix { !$0.isWildcard }.utf8]
  }

  /// The ending of every name that the part matches. The list is empty for `**`.
  fileprivate var fixedEnding: [[UInt8]] {
    guard case .component(let scalars) = self else { return [] }
    return [scalars.reversed().prefix { !$0.isWildcard }.reversed().utf8]
  }
}

extension Unicode.Scalar {
  fileprivate var isWildcard: Bool { self == "*" || self == "?" }
}

extension Sequence<Unicode.Scalar> {
  fileprivate var utf8: [UInt8] { Array(String(String.UnicodeScalarView(self)).utf8) }
}
