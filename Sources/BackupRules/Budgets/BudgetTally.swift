import BackupCollections
import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// The files that a budget speaks of, summed up for each of its limits.
struct BudgetTally {
  let budget: Scenario.Budget
  /// What there is, in the order of the limits.
  private(set) var sums: [FileSum]

  init(_ budget: Scenario.Budget, _ sums: [FileSum]? = nil) {
    self.budget = budget
    self.sums = sums ?? Array(repeating: FileSum(), count: budget.entries.count)
  }

  init(_ budget: Scenario.Budget, of set: BackupSet) {
    self.init(budget)
    set.forEachFile { count($0, $1) }
  }

  mutating func count(_ file: ContainerPath, _ size: Int64, isThere: Bool = true) {
    for index in budget.indices(for: file) {
      if isThere { sums[index].add(size) } else { sums[index].remove(size) }
    }
  }

  var exceededIndices: [Int] {
    sums.indices.filter { budget.entries[$0].limit.isExceeded(by: sums[$0]) }
  }

  /// What is said of exceeded limits, each with the largest of its files, at most `most`;
  /// `forEachFile`, which is called once, calls what it takes with each file and its size in bytes.
  func excesses(
    at indices: [Int], naming most: Int,
    _ forEachFile: ((ContainerPath, Int64) -> Void) -> Void
  ) -> [BudgetExcess] {
    let none: [(path: ContainerPath, size: Int64)] = []
    var largest = Dictionary(indices.map { ($0, none) }) { first, _ in first }
    forEachFile { file, size in
      for index in budget.indices(for: file) {
        largest[index]?.keep((file, size), amongLargest: most, by: \.size)
      }
    }
    return indices.map { index in
      let (pattern, limit) = (budget.entries[index].pattern, budget.entries[index].limit)
      let (held, allowed) = limit.excess(of: sums[index])
      return BudgetExcess(
        index: index, pattern: pattern, held: held, allowed: allowed,
        largest: BudgetExcess.words(for: largest[index] ?? []))
    }
  }
}

struct BudgetExcess {
  let index: Int
  /// The files that it is for; nil for all.
  let pattern: PathPattern?
  /// What there is, in words: `7 bytes in 3 files`, of what is more than may be.
  let held: String
  /// What may be, in words: `5 bytes and 2 files`.
  let allowed: String
  /// The largest files, as the end of a sentence; empty if there are no files.
  let largest: String

  /// The item that a finding is about: what the pattern names before its first wildcard; nil for nothing.
  var path: ContainerPath? { pattern.flatMap { try? ContainerPath($0.fixedPrefix) } }

  /// `of 'Documents/**' `, the beginning of a sentence; empty for all files.
  var scope: String {
    pattern.map { "of '\(EscapedText.escape($0.description))' " } ?? ""
  }

  /// `; the largest file is 'a' with 9 bytes`, the end of a sentence; empty for no files.
  fileprivate static func words(for largest: [(path: ContainerPath, size: Int64)]) -> String {
    let names = largest.map { "'\($0.path)' with \($0.size.formattedSize)" }
    guard !names.isEmpty else { return "" }
    let verb = names.count.form("file is", plural: "files are")
    return "; the largest \(verb) \(names.joinedInWords)"
  }
}

extension Scenario.Budget.Limit {
  fileprivate func isExceeded(by sum: FileSum) -> Bool {
    sum.bytes > bytes ?? .max || sum.files > files ?? .max
  }

  /// What of a sum is more than this allows, and what it allows of that, in words.
  fileprivate func excess(of sum: FileSum) -> (held: String, allowed: String) {
    var (held, allowed): ([String], [String]) = ([], [])
    if let bytes, sum.bytes > bytes {
      let (size, limit) = Int64.formattedSizes(sum.bytes, bytes)
      held.append(size)
      allowed.append(limit)
    }
    if let files, sum.files > files {
      held.append(sum.files.counted("file"))
      allowed.append(files.counted("file"))
    }
    return (held.joined(separator: " in "), allowed.joinedInWords)
  }
}

package struct BudgetUse: Sendable {
  /// The key of the scenario that has the limit, and the files that it is for.
  package let name: String
  /// What is measured: `bytes` or `files`.
  package let unit: String
  package let used: Int64
  package let limit: Int64

  package var isExceeded: Bool { used > limit }

  /// `5.1 MB of 5.0 MB, too much`: for people.
  package var phrase: String {
    let isSize = unit == "bytes"
    let (used, limit) =
      isSize ? Int64.formattedSizes(used, limit) : ("\(used)", Int(limit).counted("file"))
    return "\(used) of \(limit)\(!isExceeded ? "" : isSize ? ", too much" : ", too many")"
  }

  /// How files use a budget; empty without a budget. The last parameter enumerates them.
  package static func all(
    of budget: Scenario.Budget?, named name: String,
    _ forEachFile: ((ContainerPath, Int64) -> Void) -> Void
  ) -> [BudgetUse] {
    guard let budget else { return [] }
    var tally = BudgetTally(budget)
    forEachFile { tally.count($0, $1) }
    return zip(budget.entries, tally.sums).flatMap { entry, sum in
      let scope = entry.pattern.map { " of '\(EscapedText.escape($0.description))'" } ?? ""
      let uses = [
        entry.limit.bytes.map { ("bytes", sum.bytes, $0) },
        entry.limit.files.map { ("files", Int64(sum.files), Int64($0)) },
      ]
      return uses.compactMap(\.self).map { unit, used, limit in
        BudgetUse(name: name + scope, unit: unit, used: used, limit: limit)
      }
    }
  }
}
