import BackupCollections

/// Patterns that are many, ready to say which of them match a path without a look at each.
///
/// They are filed by what every match begins with, ends with and has between. A path is compared
/// only with patterns that are filed under its own letters.
package struct PatternIndex: Sendable {
  /// The indices of patterns without a name between, and of the others by that name.
  private struct Names {
    var unnamed: [Int] = []
    var named: [[UInt8]: [Int]] = [:]
  }

  private struct FiledPattern {
    /// The pattern's index among all.
    let index: Int
    /// The text that every match has.
    let text: FixedText
  }

  package let patterns: [PathPattern]
  /// Their indices: by the beginning, then by the ending, then by a name between.
  private var table: PrefixTable<PrefixTable<Names>>

  /// Files patterns, in an order that answers keep to.
  package init(_ patterns: [PathPattern]) {
    self.patterns = patterns
    let filed = zip(patterns.indices, patterns).map { index, pattern in
      FiledPattern(index: index, text: pattern.fixedText)
    }
    self.table = PrefixTable(
      filed.grouped { $0.text.beginning }.map { alike in
        (key: alike[0].text.beginning, value: Self.endings(of: alike))
      })
  }

  /// Patterns that begin alike, by their ending and then by a name between.
  private static func endings(of filed: [FiledPattern]) -> PrefixTable<Names> {
    PrefixTable(
      filed.grouped { $0.text.reversedEnding }.map { alike in
        let names = alike.reduce(into: Names()) { names, pattern in
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
    var asked = AskedPath(path)
    return lists(for: &asked).compactMap { list in
      list.first { patterns[$0].matches(asked.splitNames, inside: false) }
    }.min()
  }

  package func indices(matching path: ContainerPath) -> [Int] {
    var asked = AskedPath(path)
    return lists(for: &asked).joined()
      .filter { patterns[$0].matches(asked.splitNames, inside: false) }.sorted()
  }

  /// The patterns that are filed under a path's own letters, in their order in each list.
  private func lists(for asked: inout AskedPath) -> [[Int]] {
    table.indices(beginning: asked.text).map { table.values[$0] }.flatMap { endings in
      endings.indices(beginning: asked.reversedText).flatMap { ending in
        let names = endings.values[ending]
        guard !names.named.isEmpty else { return [names.unnamed] }
        return [names.unnamed] + asked.names.compactMap { names.named[$0] }
      }
    }
  }

  /// The first path that each pattern matches, where `**` at the end stands for something; nil if it
  /// matches none. `visit` passes paths to a function until that returns false, a directory before what
  /// is in it.
  package func firstMatches(
    visitingPathsIn visit: (ContainerPath?, (ContainerPath) -> Bool) -> Void
  ) -> [ContainerPath?] {
    var open = self
    var matches: [ContainerPath?] = patterns.map { _ in nil }
    var count = patterns.count
    for directory in fixedDirectories where count > 0 {
      visit(directory) { path in
        for index in open.takePatterns(matching: path, inside: true) {
          matches[index] = path
          count -= 1
        }
        return count > 0
      }
    }
    return matches
  }

  package func indicesMatchingNone(of paths: some Sequence<ContainerPath>) -> [Int] {
    var open = self
    var indices = Set(patterns.indices)
    for path in paths where !indices.isEmpty {
      indices.subtract(open.takePatterns(matching: path, inside: false))
    }
    return indices.sorted()
  }

  /// Takes out the patterns that a path matches, so that later paths are not compared with them;
  /// returns their indices.
  private mutating func takePatterns(matching path: ContainerPath, inside isInside: Bool) -> [Int] {
    var asked = AskedPath(path)
    var taken: [Int] = []
    func take(_ indices: inout [Int]) {
      indices.removeAll { index in
        guard patterns[index].matches(asked.splitNames, inside: isInside) else { return false }
        taken.append(index)
        return true
      }
    }
    for beginning in table.indices(beginning: asked.text) {
      for ending in table.values[beginning].indices(beginning: asked.reversedText) {
        take(&table.values[beginning].values[ending].unnamed)
        for name in asked.names {
          guard table.values[beginning].values[ending].named[name] != nil else { continue }
          take(&table.values[beginning].values[ending].named[name, default: []])
        }
      }
    }
    return taken
  }

  /// The directories that all matches are in, in the order of a walk, none in another; nil alone
  /// where that is the whole container.
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

/// A path in the forms in which patterns are looked up; most paths end with the first.
private struct AskedPath {
  private let path: ContainerPath
  /// Its letters in UTF-8, with replacement characters for what is not.
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

/// Values by texts. A look-up finds each value whose text begins another text.
struct PrefixTable<Value> {
  /// The texts, in the order of their bytes, each once.
  private var keys: [[UInt8]] = []
  /// For each text, the index of the longest other text that it begins with; nil without one.
  private var shorter: [Int?] = []
  /// The values, in the order of the texts.
  var values: [Value] = []

  init(_ entries: some Sequence<(key: [UInt8], value: Value)>) {
    var open: [Int] = []
    for (key, value) in entries.sorted(by: { $0.key.precedesBytewise($1.key) }) {
      while let last = open.last, !keys[last].isBeginning(of: key) { open.removeLast() }
      shorter.append(open.last)
      open.append(keys.count)
      keys.append(key)
      values.append(value)
    }
  }

  /// The indices of the values whose texts another begins with, itself included, the longest first;
  /// a binary search.
  func indices(beginning text: [UInt8]) -> [Int] {
    let next = keys.partitioningIndex { text.precedesBytewise($0) }
    var found: [Int] = []
    var index = next > 0 ? next - 1 : nil
    while let current = index {
      if keys[current].isBeginning(of: text) { found.append(current) }
      index = shorter[current]
    }
    return found
  }
}

extension PrefixTable: Sendable where Value: Sendable {}
