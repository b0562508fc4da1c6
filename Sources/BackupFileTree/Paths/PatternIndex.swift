import BackupCollections

/// An index of many patterns, which finds those that match a path without comparing each.
///
/// It groups the patterns by the beginning and the ending of their matches, and by a name between
/// these. A path is compared only with the patterns whose fixed text it has.
package struct PatternIndex: Sendable {
  /// The indices of the patterns without a name between, and of the others by this name.
  private struct PatternsByName {
    var unnamed: [Int] = []
    var named: [[UInt8]: [Int]] = [:]
  }

  private struct IndexedPattern {
    /// The pattern's index among all.
    let index: Int
    /// The text that every match has.
    let text: FixedText
  }

  package let patterns: [PathPattern]
  /// The indices of the patterns: by the beginning, then by the ending, then by a name between.
  private var table: PrefixTable<PrefixTable<PatternsByName>>

  /// Creates an index of patterns, whose order the results keep.
  package init(_ patterns: [PathPattern]) {
    self.patterns = patterns
    let indexed = zip(patterns.indices, patterns).map { index, pattern in
      IndexedPattern(index: index, text: pattern.fixedText)
    }
    self.table = PrefixTable(
      indexed.grouped { $0.text.beginning }.map { alike in
        (key: alike[0].text.beginning, value: Self.endings(of: alike))
      })
  }

  /// Returns the indices of patterns with the same beginning, by their ending and then by a name
  /// between.
  private static func endings(of indexed: [IndexedPattern]) -> PrefixTable<PatternsByName> {
    PrefixTable(
      indexed.grouped { $0.text.reversedEnding }.map { alike in
        let names = alike.reduce(into: PatternsByName()) { names, pattern in
          if let name = pattern.text.name {
            names.named[name, default: []].append(pattern.index)
          } else {
            names.unnamed.append(pattern.index)
          }
        }
        return (key: alike[0].text.reversedEnding, value: names)
      })
  }

  package func firstIndex(matching path: ContainerPath) -> Int? {
    guard !patterns.isEmpty else { return nil }
    var query = QueryPath(path)
    return candidates(for: &query).compactMap { list in
      list.first { patterns[$0].matches(query.splitNames, inside: false) }
    }.min()
  }

  package func indices(matching path: ContainerPath) -> [Int] {
    var query = QueryPath(path)
    return candidates(for: &query).joined()
      .filter { patterns[$0].matches(query.splitNames, inside: false) }.sorted()
  }

  /// Returns the indices of the patterns whose fixed text a path has, in order in each list.
  private func candidates(for query: inout QueryPath) -> [[Int]] {
    table.indicesOfPrefixes(of: query.text).map { table.values[$0] }.flatMap { endings in
      endings.indicesOfPrefixes(of: query.reversedText).flatMap { ending in
        let names = endings.values[ending]
        guard !names.named.isEmpty else { return [names.unnamed] }
        return [names.unnamed] + query.names.compactMap { names.named[$0] }
      }
    }
  }

  /// Returns the first match of each pattern, or nil; `**` at the end stands for at least one
  /// component. `visit` passes paths to a function until that returns false, in the order of a
  /// walk.
  package func firstMatches(
    visitingPathsIn visit: (ContainerPath?, (ContainerPath) -> Bool) -> Void
  ) -> [ContainerPath?] {
    var remaining = self
    var matches: [ContainerPath?] = patterns.map { _ in nil }
    var count = patterns.count
    for directory in fixedDirectories where count > 0 {
      visit(directory) { path in
        for index in remaining.remove(matching: path, inside: true) {
          matches[index] = path
          count -= 1
        }
        return count > 0
      }
    }
    return matches
  }

  package func indicesMatchingNone(of paths: some Sequence<ContainerPath>) -> [Int] {
    var remaining = self
    var indices = Set(patterns.indices)
    for path in paths where !indices.isEmpty {
      indices.subtract(remaining.remove(matching: path, inside: false))
    }
    return indices.sorted()
  }

  /// Removes the patterns that a path matches, so that later paths are not compared with them.
  /// Returns their indices.
  private mutating func remove(matching path: ContainerPath, inside isInside: Bool) -> [Int] {
    var query = QueryPath(path)
    var removed: [Int] = []
    func removeMatches(from indices: inout [Int]) {
      indices.removeAll { index in
        guard patterns[index].matches(query.splitNames, inside: isInside) else { return false }
        removed.append(index)
        return true
      }
    }
    for beginning in table.indicesOfPrefixes(of: query.text) {
      for ending in table.values[beginning].indicesOfPrefixes(of: query.reversedText) {
        removeMatches(from: &table.values[beginning].values[ending].unnamed)
        for name in query.names {
          guard table.values[beginning].values[ending].named[name] != nil else { continue }
          removeMatches(from: &table.values[beginning].values[ending].named[name, default: []])
        }
      }
    }
    return removed
  }

  /// The topmost directories at or above all matches, in the order of a walk; only nil if that is
  /// the whole container.
  private var fixedDirectories: [ContainerPath?] {
    let directories = patterns.map(\.fixedDirectory)
    guard !directories.contains(nil) else { return [nil] }
    var tops: [ContainerPath] = []
    for directory in directories.compactMap(\.self).sorted(by: { $0.precedesInWalk($1) }) {
      if let last = tops.last, last.covers(directory) { continue }
      tops.append(directory)
    }
    return tops
  }
}

/// A path in the forms that look-ups need. Most look-ups end with the first form.
private struct QueryPath {
  private let path: ContainerPath
  /// The path in UTF-8, with replacement characters for bytes that are no UTF-8.
  let text: [UInt8]
  lazy var reversedText: [UInt8] = text.reversed()
  lazy var splitNames = path.splitNames
  /// The names in UTF-8, each once.
  lazy var names = Set(text.split(separator: ContainerPath.separator).map { Array($0) })

  init(_ path: ContainerPath) {
    self.path = path
    self.text = Array(path.string.utf8)
  }
}

/// A table of values by texts. A look-up finds each value whose text is a prefix of another text.
struct PrefixTable<Value> {
  /// The texts, in the order of their bytes, each once.
  private var keys: [[UInt8]] = []
  /// For each text, the index of the longest other text that is its prefix; nil if there is none.
  private var longestPrefixes: [Int?] = []
  /// The values, in the order of the texts.
  var values: [Value] = []

  init(_ entries: some Sequence<(key: [UInt8], value: Value)>) {
    var prefixes: [Int] = []
    for (key, value) in entries.sorted(by: { $0.key.precedesBytewise($1.key) }) {
      while let last = prefixes.last, !keys[last].isBeginning(of: key) { prefixes.removeLast() }
      longestPrefixes.append(prefixes.last)
      prefixes.append(keys.count)
      keys.append(key)
      values.append(value)
    }
  }

  /// Returns the indices of the values whose texts are prefixes of a text, the longest first.
  func indicesOfPrefixes(of text: [UInt8]) -> [Int] {
    let next = keys.partitioningIndex { text.precedesBytewise($0) }
    var found: [Int] = []
    var index = next > 0 ? next - 1 : nil
    while let current = index {
      if keys[current].isBeginning(of: text) { found.append(current) }
      index = longestPrefixes[current]
    }
    return found
  }
}

extension PrefixTable: Sendable where Value: Sendable {}
