import BackupCollections
import BackupDiagnostics

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
      while let last = open.last, !key.starts(with: keys[last]) { open.removeLast() }
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
      if text.starts(with: keys[current]) { found.append(current) }
      index = shorter[current]
    }
    return found
  }
}

extension PrefixTable: Sendable where Value: Sendable {}
