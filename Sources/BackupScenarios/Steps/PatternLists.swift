import BackupDiagnostics
import BackupFileTree
import BackupJSON5

/// The two lists of patterns that an assertion has.
struct PatternLists {
  /// The patterns that must match.
  let first: [PathPattern]
  /// The patterns that must not.
  let second: [PathPattern]

  /// Reads `{ first: […], second: […] }`, at least one of them.
  init?(
    _ value: LocatedValue, keys: (first: String, second: String), _ collector: DiagnosticCollector
  ) {
    let expected = "{ \(keys.first): [patterns], \(keys.second): [patterns] }"
    guard var reader = ObjectReader(value, expected: expected, collector) else { return nil }
    self.first = Self.patterns(keys.first, &reader)
    self.second = Self.patterns(keys.second, &reader)
    reader.refuseUnknownKeys()
    if reader.keys.isEmpty {
      collector.error("nothing is asserted; expected \(expected)", at: value.position)
    }
  }

  /// The patterns of one key.
  private static func patterns(_ key: String, _ reader: inout ObjectReader) -> [PathPattern] {
    let collector = reader.collector
    let values = reader.optional(key)?.array(of: "patterns", collector) ?? []
    return values.compactMap { $0.pattern(collector) }
  }
}

extension PathPattern {
  /// The pattern as a message quotes it, on one line.
  var shown: String { description.shown }
}
