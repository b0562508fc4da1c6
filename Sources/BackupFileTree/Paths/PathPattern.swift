public import BackupDiagnostics

/// A pattern for container paths, anchored at the container's top: `*` stands for any text within a
/// component, `**` for any number of components, `?` for one character.
///
/// `Documents/**` matches `Documents` itself and all items in it. Every other character stands for
/// itself. Matching takes time proportional to the pattern's length times the path's.
///
/// A pattern matches paths in the app's own container, `**` too. If its first component ends in a
/// colon, it matches paths in the containers of groups and extensions with this name:
/// `group.x:/**`, or `*:/**` for all.
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

  /// Creates a pattern from a text, which must be one that a path can match.
  ///
  /// - Parameter text: A text relative to the container, of at most ``ContainerPath/longestPath``
  ///   bytes.
  /// - Throws: ``RunError`` with the code `.invalidPath`, as for a path: for `..`, a leading `/`,
  ///   NUL and the like.
  public init(_ text: String) throws(RunError) {
    let path = try ContainerPath(text)
    self.description = text
    self.parts = path.components.map { component in
      component.bytes == [0x2A, 0x2A] ? .anyComponents : .component(Array(component.scalars))
    }
  }

  /// Creates a pattern, or returns nil for a text that is not one.
  package init?(ifValid text: String) {
    guard let pattern = try? PathPattern(text) else { return nil }
    self = pattern
  }

  /// Returns true if a path matches.
  ///
  /// - Parameter path: The path of an item. All its components must match.
  /// - Returns: True also for the directory itself if the pattern ends in `/**`.
  public func matches(_ path: ContainerPath) -> Bool { matches(path.splitNames) }

  /// Returns true if a path with these names matches.
  private func matches(_ names: [[Unicode.Scalar]]) -> Bool {
    guard namesContainer || !Self.isContainer(names[0]) else { return false }
    return Self.matches(parts, names, isRun: { $0 == .anyComponents }) { part, name in
      guard case .component(let pattern) = part else { return false }
      return Self.matches(pattern, name, isRun: { $0 == "*" }) { $0 == "?" || $0 == $1 }
    }
  }

  /// Returns true if a path matches, with at least one component for `**` at the end. Readers of
  /// assertions expect this: `Documents/**` is then everything in `Documents`, without itself.
  ///
  /// - Parameter path: The path of an item. All its components must match.
  /// - Returns: As ``matches(_:)``, but `Documents/**` does not match `Documents`.
  public func matchesInside(_ path: ContainerPath) -> Bool {
    matches(path.splitNames, inside: true)
  }

  /// Returns true if a path with these names matches; if `isInside` is true, with at least one
  /// component for `**` at the end.
  func matches(_ names: [[Unicode.Scalar]], inside isInside: Bool) -> Bool {
    guard isInside, parts.last == .anyComponents, parts.count > 1 else { return matches(names) }
    return names.count > 1 && matches(Array(names.dropLast()))
  }

  /// True if the pattern matches paths in containers of groups and extensions.
  package var namesContainer: Bool {
    guard case .component(let scalars) = parts[0] else { return false }
    return scalars.last == ":"
  }

  /// Returns true if a path's first name is that of such a container.
  private static func isContainer(_ name: [Unicode.Scalar]) -> Bool {
    guard name.last == ":" else { return false }
    let text = String(String.UnicodeScalarView(name))
    return ContainerPath.Component(unchecked: Array(text.utf8)).isContainer
  }

  /// Returns true if this pattern surely matches every path that another one matches.
  ///
  /// - Parameter other: The pattern that may match less.
  /// - Returns: True only if this pattern ends in `**` and has no other `**`.
  public func surelyCovers(_ other: PathPattern) -> Bool {
    guard parts.last == .anyComponents, !parts.dropLast().contains(.anyComponents),
      namesContainer == other.namesContainer, other.parts.count >= parts.count - 1
    else { return false }
    return zip(parts.dropLast(), other.parts).allSatisfy { mine, theirs in
      guard case .component(let pattern) = mine, case .component(let name) = theirs else {
        return false
      }
      return Self.matches(pattern, name, isRun: { $0 == "*" }) {
        $0 == $1 || $0 == "?" && $1 != "*"
      }
    }
  }

  /// The directories at the beginning of the pattern, before the first wildcard.
  public var fixedPrefix: String {
    let names = description.unicodeScalars.split(separator: "/")
    return names.prefix { !$0.contains("*") && !$0.contains("?") }.map(String.init)
      .joined(separator: "/")
  }

  /// Returns true if a pattern matches some elements. Runs match any number of elements; the search
  /// goes back to the last run only.
  private static func matches<Symbol, Element>(
    _ pattern: [Symbol], _ elements: [Element], isRun: (Symbol) -> Bool,
    _ equals: (Symbol, Element) -> Bool
  ) -> Bool {
    var (symbol, element) = (0, 0)
    var lastRun: (symbol: Int, element: Int)?
    while element < elements.count {
      if symbol < pattern.count, isRun(pattern[symbol]) {
        lastRun = (symbol, element)
        symbol += 1
      } else if symbol < pattern.count, equals(pattern[symbol], elements[element]) {
        (symbol, element) = (symbol + 1, element + 1)
      } else if let run = lastRun {
        lastRun = (run.symbol, run.element + 1)
        (symbol, element) = (run.symbol + 1, run.element + 1)
      } else {
        return false
      }
    }
    return pattern[symbol...].allSatisfy(isRun)
  }

  /// The text that every matching path has, which rules out most paths at once.
  var fixedText: FixedText {
    let wild = parts.indices.filter { parts[$0].fixedName == nil }
    guard let first = wild.first, let last = wild.last else {
      let beginning = Self.joined(parts[...].compactMap(\.fixedName))
      return FixedText(beginning: beginning, reversedEnding: [], name: nil)
    }
    let head = parts[..<first].compactMap(\.fixedName) + parts[first].fixedBeginning
    let tail = parts[last].fixedEnding + parts[(last + 1)...].compactMap(\.fixedName)
    let names = parts[first...last].compactMap(\.fixedName)
    return FixedText(
      beginning: Self.joined(head), reversedEnding: Self.joined(tail).reversed(),
      name: names.max { $0.count < $1.count }
    )
  }

  /// The directory at or above every match; nil if that is the whole container.
  var fixedDirectory: ContainerPath? {
    let names = parts.prefix { $0.fixedName != nil }.compactMap(\.fixedName)
    return names.isEmpty ? nil : ContainerPath(unchecked: Self.joined(names))
  }

  /// Returns the topmost paths at or above all matches of some patterns; nil if that is the whole
  /// container.
  package static func places(of patterns: [PathPattern]) -> [ContainerPath]? {
    var places: Set<ContainerPath> = []
    for pattern in patterns {
      guard let directory = pattern.fixedDirectory else { return nil }
      places.insert(directory)
    }
    return places.filter { !$0.ancestors.contains(where: places.contains) }.sorted()
  }

  private static func joined(_ names: [[UInt8]]) -> [UInt8] {
    Array(names.joined(separator: [ContainerPath.separator]))
  }
}

extension ContainerPath {
  /// The characters of each name, with replacement characters for bytes that are no UTF-8.
  var splitNames: [[Unicode.Scalar]] { components.map { Array($0.scalars) } }
}

extension ContainerPath.Component {
  /// The characters, with replacement characters for bytes that are no UTF-8.
  fileprivate var scalars: String.UnicodeScalarView { string.unicodeScalars }
}

/// The text that every match of a pattern has, in UTF-8.
struct FixedText {
  let beginning: [UInt8]
  /// The ending of the path, its last byte first.
  let reversedEnding: [UInt8]
  /// A name between the beginning and the ending; nil if the pattern has none without wildcards.
  let name: [UInt8]?
}

extension PathPattern.Part {
  /// The only name that the part matches; nil if it has wildcards.
  fileprivate var fixedName: [UInt8]? {
    guard case .component(let scalars) = self, !scalars.contains(where: \.isWildcard) else {
      return nil
    }
    return scalars.utf8
  }

  /// The beginning of every name that the part matches; empty for `**`, which may match no name.
  fileprivate var fixedBeginning: [[UInt8]] {
    guard case .component(let scalars) = self else { return [] }
    return [scalars.prefix { !$0.isWildcard }.utf8]
  }

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
