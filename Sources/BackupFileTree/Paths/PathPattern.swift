public import BackupDiagnostics

/// A pattern of container paths: `*` within a component, `**` any number of components, `?` one
/// character; anchored at the container's top.
///
/// `Documents/**` matches `Documents` itself and all in it. Every other character stands for
/// itself. Matching takes time proportional to the pattern's length times the path's.
///
/// A pattern is about the app's own container, `**` too. One whose first component ends in a colon
/// is about the containers of groups and extensions that this names: `group.x:/**`, or `*:/**` for
/// all.
///
/// ```swift
/// let pattern = try PathPattern("Library/**/*.mp4")
/// pattern.matches(try ContainerPath("Library/Movies/1.mp4"))  // true
/// ```
public struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  enum Part: Hashable, Sendable {
    /// `**`.
    case anyComponents
    /// Anything else, its characters as Unicode scalars.
    case component([Unicode.Scalar])
  }

  let parts: [Part]
  /// The pattern as it was written.
  public let description: String

  /// Reads a pattern, which must be one that a path can match.
  ///
  /// - Parameter text: Relative to the container, at most ``ContainerPath/longestPath`` bytes.
  /// - Throws: ``RunError`` with the code `.invalidPath` as for a path, for `..`, a leading `/`, NUL and the like.
  public init(_ text: String) throws(RunError) {
    let path = try ContainerPath(text)
    self.description = text
    self.parts = path.components.map { component in
      component.bytes == [0x2A, 0x2A] ? .anyComponents : .component(Array(component.scalars))
    }
  }

  /// A pattern, where a text is one; another text matches nothing.
  package init?(ifValid text: String) {
    guard let pattern = try? PathPattern(text) else { return nil }
    self = pattern
  }

  /// Whether a path matches.
  ///
  /// - Parameter path: An item's path, all of whose components must match.
  /// - Returns: True also for the directory itself where the pattern ends in `/**`.
  public func matches(_ path: ContainerPath) -> Bool { matches(path.splitNames) }

  /// Whether a path matches that was taken apart before.
  private func matches(_ names: [[Unicode.Scalar]]) -> Bool {
    guard namesContainer || !Self.isContainer(names[0]) else { return false }
    return Self.matches(parts, names, isRun: { $0 == .anyComponents }) { part, name in
      guard case .component(let pattern) = part else { return false }
      return Self.matches(pattern, name, isRun: { $0 == "*" }) { $0 == "?" || $0 == $1 }
    }
  }

  /// Whether a path matches, where `**` at the end stands for at least one component: as a reader
  /// of an assertion expects, `Documents/**` is then what is in `Documents`, without itself.
  ///
  /// - Parameter path: An item's path, all of whose components must match.
  /// - Returns: As ``matches(_:)``, but `Documents/**` does not match `Documents`.
  public func matchesInside(_ path: ContainerPath) -> Bool {
    matches(path.splitNames, inside: true)
  }

  /// Whether a path matches that was taken apart before; with `isInside`, `**` at the end stands
  /// for at least one component.
  func matches(_ names: [[Unicode.Scalar]], inside isInside: Bool) -> Bool {
    guard isInside, parts.last == .anyComponents, parts.count > 1 else { return matches(names) }
    return names.count > 1 && matches(Array(names.dropLast()))
  }

  /// Whether the pattern is about containers of groups and extensions.
  package var namesContainer: Bool {
    guard case .component(let scalars) = parts[0] else { return false }
    return scalars.last == ":"
  }

  /// Whether a path's first name is that of such a container.
  private static func isContainer(_ name: [Unicode.Scalar]) -> Bool {
    guard name.last == ":" else { return false }
    let text = String(String.UnicodeScalarView(name))
    return ContainerPath.Component(unchecked: Array(text.utf8)).isContainer
  }

  /// Whether this pattern surely matches whatever another does; false if it is hard to say.
  ///
  /// - Parameter other: The pattern that may match less.
  /// - Returns: True only where this pattern ends in `**` and has no other.
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

  /// The directories the pattern begins with, before the first wildcard.
  public var fixedPrefix: String {
    let names = description.unicodeScalars.split(separator: "/")
    return names.prefix { !$0.contains("*") && !$0.contains("?") }.map(String.init)
      .joined(separator: "/")
  }

  /// Matches a sequence with runs of any length, going back to the last run only.
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

  /// The letters that a matching path must contain, which rule out most paths at once.
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

  /// The directory that every match is in or is; nil if that is the whole container.
  var fixedDirectory: ContainerPath? {
    let names = parts.prefix { $0.fixedName != nil }.compactMap(\.fixedName)
    return names.isEmpty ? nil : ContainerPath(unchecked: Self.joined(names))
  }

  /// The topmost items that all matches of some patterns are, or are in, by the letters that stand
  /// for themselves; nil if that is the whole container.
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
  /// The characters of each name, as patterns are compared with them: bytes that are no UTF-8 are
  /// replacement characters.
  var splitNames: [[Unicode.Scalar]] { components.map { Array($0.scalars) } }
}

extension ContainerPath.Component {
  /// The characters, with bytes that are no UTF-8 as replacement characters.
  fileprivate var scalars: String.UnicodeScalarView { string.unicodeScalars }
}

/// What every path has that a pattern matches, by the letters of the pattern that stand for
/// themselves; texts are in UTF-8.
///
/// How the path begins, from the container down; how it ends, the last byte first; and a name that
/// it has somewhere between, nil if nothing is sure.
struct FixedText {
  let beginning: [UInt8]
  let reversedEnding: [UInt8]
  let name: [UInt8]?
}

extension PathPattern.Part {
  /// The name that it stands for alone; nil if it has wildcards.
  fileprivate var fixedName: [UInt8]? {
    guard case .component(let scalars) = self, !scalars.contains(where: \.isWildcard) else {
      return nil
    }
    return scalars.utf8
  }

  /// What a name begins with that it stands for; nothing where there may be no name at all.
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
