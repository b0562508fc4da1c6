import BackupCollections

/// An index of many patterns. To find the patterns that match a path, the index compares the path
/// with only a few patterns.
///
/// The index groups the patterns by the texts that all their matches have: a beginning, an ending,
/// and a name between these (``FixedText``). The index compares a path only with the patterns whose
/// texts the path has.
package struct PatternIndex: Sendable {
  /// Indices of patterns, grouped by ``FixedText/name``.
  private struct PatternsByName {
    /// The indices of the patterns without a name in their fixed text.
    var indicesWithoutName: [Int] = []
    /// The indices of the other patterns, by the name in their fixed text.
    var indicesByName: [[UInt8]: [Int]] = [:]
  }

  private struct IndexedPattern {
    /// The pattern's index in ``patterns``.
    let index: Int
    /// The text that every match has.
    let fixedText: FixedText
  }

  package let patterns: [PathPattern]
  /// The indices of the patterns, grouped by beginning, then by ending, and then by name.
  private var table: PrefixTable<PrefixTable<PatternsByName>>

  /// Creates an index of patterns.
  package init(_ patterns: [PathPattern]) {
    self.patterns = patterns
    let indexedPatterns = zip(patterns.indices, patterns).map { index, pattern in
      IndexedPattern(index: index, fixedText: pattern.fixedText)
    }
    self.table = PrefixTable(
      indexedPatterns.grouped { $0.fixedText.beginning }.map { group in
        (key: group[0].fixedText.beginning, value: Self.tableByEnding(of: group))
      })
  }

  /// Groups patterns by ending, and then by name.
  private static func tableByEnding(
    of indexedPatterns: [IndexedPattern]
  ) -> PrefixTable<PatternsByName> {
    PrefixTable(
      indexedPatterns.grouped { $0.fixedText.reversedEnding }.map { group in
        let patternsByName = group.reduce(into: PatternsByName()) { patternsByName, pattern in
          if let name = pattern.fixedText.longestMiddleName {
            patternsByName.indicesByName[name, default: []].append(pattern.index)
          } else {
            patternsByName.indicesWithoutName.append(pattern.index)
          }
        }
        return (key: group[0].fixedText.reversedEnding, value: patternsByName)
      })
  }

  package func firstIndex(matching path: ContainerPath) -> Int? {
    guard !patterns.isEmpty else { return nil }
    var query = QueryPath(path)
    return candidateLists(for: &query).compactMap { list in
      list.first { patterns[$0].matches(query.nameScalars, mustBeInside: false) }
    }.min()
  }

  package func indices(matching path: ContainerPath) -> [Int] {
    var query = QueryPath(path)
    return candidateLists(for: &query).joined()
      .filter { patterns[$0].matches(query.nameScalars, mustBeInside: false) }.sorted()
  }

  /// Returns the indices of the patterns whose fixed text a path has, in several sorted lists.
  private func candidateLists(for query: inout QueryPath) -> [[Int]] {
    table.indicesOfPrefixes(of: query.text).map { table.values[$0] }.flatMap { endingTable in
      endingTable.indicesOfPrefixes(of: query.reversedText).flatMap { ending in
        let patternsByName = endingTable.values[ending]
        guard !patternsByName.indicesByName.isEmpty else {
          return [patternsByName.indicesWithoutName]
        }
        return [patternsByName.indicesWithoutName]
          + query.names.compactMap { patternsByName.indicesByName[$0] }
      }
    }
  }

  /// Returns the first match of each pattern, or nil for a pattern without a match. Here, `**` at
  /// the end of a pattern stands for at least one component.
  ///
  /// `visit` receives a directory, or nil for the whole container, and a function. `visit` must
  /// pass the directory's path and each path in it to the function, in the order of a walk. It must
  /// stop when the function returns false.
  package func firstMatches(
    visitingPathsIn visit: (ContainerPath?, (ContainerPath) -> Bool) -> Void
  ) -> [ContainerPath?] {
    var unmatchedPatterns = self
    var matches: [ContainerPath?] = patterns.map { _ in nil }
    var unmatchedCount = patterns.count
    for directory in fixedDirectories where unmatchedCount > 0 {
      visit(directory) { path in
        for index in unmatchedPatterns.remove(matching: path, mustBeInside: true) {
          matches[index] = path
          unmatchedCount -= 1
        }
        return unmatchedCount > 0
      }
    }
    return matches
  }

  /// Returns the indices of the patterns that match none of the paths.
  package func indicesMatchingNone(of paths: some Sequence<ContainerPath>) -> [Int] {
    var unmatchedPatterns = self
    var indices = Set(patterns.indices)
    for path in paths where !indices.isEmpty {
      indices.subtract(unmatchedPatterns.remove(matching: path, mustBeInside: false))
    }
    return indices.sorted()
  }

  /// Removes the patterns that match a path, so that later paths are not compared with these
  /// patterns. Returns the indices of the patterns.
  private mutating func remove(matching path: ContainerPath, mustBeInside: Bool) -> [Int] {
    var query = QueryPath(path)
    var removedIndices: [Int] = []
    func removeMatches(from indices: inout [Int]) {
      indices.removeAll { index in
        guard patterns[index].matches(query.nameScalars, mustBeInside: mustBeInside) else {
          return false
        }
        removedIndices.append(index)
        return true
      }
    }
    for beginning in table.indicesOfPrefixes(of: query.text) {
      for ending in table.values[beginning].indicesOfPrefixes(of: query.reversedText) {
        removeMatches(from: &table.values[beginning].values[ending].indicesWithoutName)
        for name in query.names {
          guard table.values[beginning].values[ending].indicesByName[name] != nil else { continue }
          removeMatches(
            from: &table.values[beginning].values[ending].indicesByName[name, default: []])
        }
      }
    }
    return removedIndices
  }

  /// Directories that together have all matches, or are matches themselves, in the order of a walk.
  /// Nil stands for the whole container, and is then the only element.
  private var fixedDirectories: [ContainerPath?] {
    let directories = patterns.map(\.fixedDirectory)
    guard !directories.contains(nil) else { return [nil] }
    var topmostDirectories: [ContainerPath] = []
    for directory in directories.compactMap(\.self).sorted(by: { $0.precedesInWalk($1) }) {
      if let last = topmostDirectories.last, last.covers(directory) { continue }
      topmostDirectories.append(directory)
    }
    return topmostDirectories
  }
}

/// A path in the forms that look-ups need. Most look-ups need only `text`, so the other forms are
/// lazy.
private struct QueryPath {
  private let path: ContainerPath
  /// The path in UTF-8. Replacement characters stand for bytes that are not UTF-8.
  let text: [UInt8]
  lazy var reversedText: [UInt8] = text.reversed()
  lazy var nameScalars = path.nameScalars
  /// The path's names in UTF-8.
  lazy var names = Set(text.split(separator: ContainerPath.separator).map { Array($0) })

  init(_ path: ContainerPath) {
    self.path = path
    self.text = Array(path.string.utf8)
  }
}

/// A table of values by keys. A look-up finds all values whose key is a prefix of a text.
struct PrefixTable<Value> {
  /// The keys, in the order of their bytes. All keys are different.
  private var keys: [[UInt8]] = []
  /// For each key, the index of the longest other key that is its prefix; nil if there is none.
  private var longestPrefixes: [Int?] = []
  /// The values, in the order of their keys.
  var values: [Value] = []

  init(_ entries: some Sequence<(key: [UInt8], value: Value)>) {
    // The indices of the keys that are prefixes of the current key, the longest last.
    var prefixIndices: [Int] = []
    for (key, value) in entries.sorted(by: { $0.key.precedesBytewise($1.key) }) {
      while let last = prefixIndices.last, !keys[last].isBeginning(of: key) {
        prefixIndices.removeLast()
      }
      longestPrefixes.append(prefixIndices.last)
      prefixIndices.append(keys.count)
      keys.append(key)
      values.append(value)
    }
  }

  /// Returns the indices of the values whose keys are prefixes of a text, the longest key first.
  func indicesOfPrefixes(of text: [UInt8]) -> [Int] {
    let indexAfterText = keys.partitioningIndex { text.precedesBytewise($0) }
    var indices: [Int] = []
    var index = indexAfterText > 0 ? indexAfterText - 1 : nil
    while let candidateIndex = index {
      if keys[candidateIndex].isBeginning(of: text) { indices.append(candidateIndex) }
      index = longestPrefixes[candidateIndex]
    }
    return indices
  }
}

extension PrefixTable: Sendable where Value: Sendable {}
