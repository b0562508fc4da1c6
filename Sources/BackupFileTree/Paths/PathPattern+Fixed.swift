/// What every path has that a pattern matches, by the letters of the pattern that stand for
/// themselves; texts are in UTF-8.
///
/// How the path begins, from the container down; how it ends, the last byte first; and a name that
/// it has somewhere between, nil if nothing is sure.
typealias FixedText = (beginning: [UInt8], reversedEnding: [UInt8], name: [UInt8]?)

extension PathPattern {
  /// The letters that a matching path must contain, which rule out most paths at once.
  var fixedText: FixedText {
    let wild = parts.indices.filter { parts[$0].fixedName == nil }
    guard let first = wild.first, let last = wild.last else {
      return (Self.joined(parts[...].compactMap(\.fixedName)), [], nil)
    }
    let head = parts[..<first].compactMap(\.fixedName) + parts[first].fixedBeginning
    let tail = parts[last].fixedEnding + parts[(last + 1)...].compactMap(\.fixedName)
    let names = parts[first...last].compactMap(\.fixedName)
    return (
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

  /// What such a name ends with.
  fileprivate var fixedEnding: [[UInt8]] {
    guard case .component(let scalars) = self else { return [] }
    return [scalars.reversed().prefix { !$0.isWildcard }.reversed().utf8]
  }
}

extension Unicode.Scalar {
  /// Whether it stands for other characters in a pattern.
  fileprivate var isWildcard: Bool { self == "*" || self == "?" }
}

extension Sequence<Unicode.Scalar> {
  fileprivate var utf8: [UInt8] { Array(String(String.UnicodeScalarView(self)).utf8) }
}
