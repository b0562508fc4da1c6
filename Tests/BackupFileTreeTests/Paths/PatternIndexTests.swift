import TestSupport
import Testing

@testable import BackupFileTree

/// An index of patterns finds the same matches as a search through all patterns.
@Suite struct PatternIndexTests {
  /// Returns a path or pattern of up to `maximumCount` random components.
  private func randomText(
    of words: [String], _ random: inout SeededGenerator, maximumCount: Int = 4
  ) throws -> String {
    try (0..<Int.random(in: 1...maximumCount, using: &random)).map { _ in
      try #require(words.randomElement(using: &random))
    }.joined(separator: "/")
  }

  /// Returns random patterns and paths of few letters, so that many match and many nearly match.
  private func randomSample(
    _ random: inout SeededGenerator
  ) throws -> (patterns: [PathPattern], paths: [ContainerPath]) {
    let names = ["a", "b", "ab", "ba", "abb", "\u{E9}", "e\u{301}"]
    let namesWithWildcards =
      names + ["*", "**", "**", "?", "a*", "*b", "a*b", "?b", "a?", "***", "*\u{301}"]
    let patterns = try (0..<Int.random(in: 0...12, using: &random)).map { _ in
      try PathPattern(try randomText(of: namesWithWildcards, &random))
    }
    var paths = Set(try (0..<20).map { _ in try ContainerPath(try randomText(of: names, &random)) })
    paths.insert(try ContainerPath(bytes: Array("a/".utf8) + [0xE2, 0x82, 0x62]))
    paths.formUnion(paths.flatMap(\.ancestors))
    return (patterns, paths.sorted { $0.precedesInWalk($1) })
  }

  @Test func `the first pattern that matches is found`() throws {
    var random = SeededGenerator(seed: 1)
    for _ in Thoroughness.seeds(150, of: 500) {
      let (patterns, paths) = try randomSample(&random)
      let index = PatternIndex(patterns)
      for path in paths {
        #expect(
          index.firstIndex(matching: path) == patterns.firstIndex { $0.matches(path) },
          "\(path) by \(patterns)")
      }
    }
  }

  @Test func `all patterns that match are found, in their order`() throws {
    var random = SeededGenerator(seed: 3)
    for _ in Thoroughness.seeds(150, of: 500) {
      let (patterns, paths) = try randomSample(&random)
      let index = PatternIndex(patterns)
      for path in paths {
        let expected = patterns.indices.filter { patterns[$0].matches(path) }
        #expect(index.indices(matching: path) == expected, "\(path) by \(patterns)")
      }
    }
  }

  @Test func `the first path that each pattern matches is found`() throws {
    var random = SeededGenerator(seed: 2)
    for _ in Thoroughness.seeds(150, of: 500) {
      let (patterns, paths) = try randomSample(&random)
      let found = PatternIndex(patterns).firstMatches { directory, visit in
        for path in paths where directory?.covers(path) != false {
          guard visit(path) else { return }
        }
      }
      let expected = patterns.map { pattern in paths.first(where: pattern.matchesInside) }
      #expect(found == expected, "\(patterns)")
    }
  }

  @Test func `bytes that are no UTF-8 are looked up as replacement characters`() throws {
    let path = try ContainerPath(bytes: Array("a/".utf8) + [0xFF, 0x62])
    let index = try PatternIndex(["a/\u{FFFD}", "a/\u{FFFD}b"].map { try PathPattern($0) })
    #expect(index.firstIndex(matching: path) == 1)
  }

  @Test func `only directories that a match can be in are visited`() throws {
    let texts = ["a/b/*", "a/b", "a/c/**/x", "d/e"]
    var visited: [ContainerPath?] = []
    _ = PatternIndex(try texts.map { try PathPattern($0) }).firstMatches { directory, _ in
      visited.append(directory)
    }
    #expect(visited == (try ["a/b", "a/c", "d/e"].map { try ContainerPath($0) }))
  }

  @Test func `nothing more is visited once every pattern has its path`() throws {
    var count = 0
    let paths = try ["a", "a/b", "a/c"].map { try ContainerPath($0) }
    _ = PatternIndex(try ["a/*", "**"].map { try PathPattern($0) }).firstMatches { _, visit in
      for path in paths {
        count += 1
        guard visit(path) else { return }
      }
    }
    #expect(count == 2)
  }
}
