import BackupCollections
import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// For each limit of a budget, the total size and number of the files that count.
struct BudgetTally {
  let budget: Scenario.Budget
  /// The sums, in the order of the limits.
  private(set) var sums: [FileTotal]

  init(_ budget: Scenario.Budget, _ sums: [FileTotal]? = nil) {
    self.budget = budget
    self.sums = sums ?? Array(repeating: FileTotal(), count: budget.entries.count)
  }

  init(_ budget: Scenario.Budget, of backup: BackupSet) {
    self.init(budget)
    backup.forEachFile { count($0, $1) }
  }

  /// Adds a file to the sums of all limits that it counts for, or removes it from these sums.
  mutating func count(_ file: ContainerPath, _ size: Int64, adding isAdded: Bool = true) {
    for index in budget.indices(for: file) {
      if isAdded { sums[index].addFile(size) } else { sums[index].removeFile(size) }
    }
  }

  var indicesOfExceededLimits: [Int] {
    sums.indices.filter { budget.entries[$0].limit.isExceeded(by: sums[$0]) }
  }

  /// Returns the excess over each limit at `indices`. Each excess names at most `maximumCount` of
  /// the largest files. The method calls `forEachFile` once. `forEachFile` must pass each file and
  /// its size in bytes to its argument.
  func excesses(
    at indices: [Int], naming maximumCount: Int,
    _ forEachFile: ((ContainerPath, Int64) -> Void) -> Void
  ) -> [BudgetExcess] {
    let noFiles: [(path: ContainerPath, size: Int64)] = []
    var largestFiles = Dictionary(indices.map { ($0, noFiles) }) { first, _ in first }
    forEachFile { file, size in
      for index in budget.indices(for: file) {
        largestFiles[index]?.keep((file, size), amongLargest: maximumCount, by: \.size)
      }
    }
    return indices.map { index in
      let (pattern, limit) = (budget.entries[index].pattern, budget.entries[index].limit)
      let (actualAmount, allowedAmount) = limit.excess(of: sums[index])
      return BudgetExcess(
        index: index, pattern: pattern, actualAmount: actualAmount, allowedAmount: allowedAmount,
        largestFilesPhrase: BudgetExcess.phrase(for: largestFiles[index] ?? []))
    }
  }
}

/// The excess of files over one limit of a budget, in words.
struct BudgetExcess {
  /// The index of the limit.
  let index: Int
  /// The pattern of the limit's files; nil for all files.
  let pattern: PathPattern?
  /// The size or number of the files that is too large, in words: `7 bytes in 3 files`.
  let actualAmount: String
  /// The limits that `actualAmount` exceeds, in words: `5 bytes and 2 files`.
  let allowedAmount: String
  /// The largest files, as the end of a sentence; empty if there are no files.
  let largestFilesPhrase: String

  /// The item for a finding: the part of the pattern before its first wildcard; nil if this part is
  /// empty.
  var path: ContainerPath? { pattern.flatMap { try? ContainerPath($0.fixedPrefix) } }

  /// The beginning of a sentence, such as `of 'Documents/**' `; empty for all files.
  var scopePhrase: String {
    pattern.map { "of '\(EscapedText.escape($0.description))' " } ?? ""
  }

  /// Returns the end of a sentence, such as `; the largest file is 'a' with 9 bytes`; empty for no
  /// files.
  fileprivate static func phrase(for largestFiles: [(path: ContainerPath, size: Int64)]) -> String {
    let filePhrases = largestFiles.map { "'\($0.path)' with \($0.size.formattedSize)" }
    guard !filePhrases.isEmpty else { return "" }
    let verb = filePhrases.count.wordForm("file is", plural: "files are")
    return "; the largest \(verb) \(filePhrases.joinedInWords)"
  }
}

extension Scenario.Budget.Limit {
  fileprivate func isExceeded(by sum: FileTotal) -> Bool {
    sum.byteCount > bytes ?? .max || sum.fileCount > files ?? .max
  }

  /// Returns the size and the number that exceed the limit, and their limits, in words. A size or a
  /// number within its limit is left out.
  fileprivate func excess(of sum: FileTotal) -> (actualAmount: String, allowedAmount: String) {
    var (actualAmounts, allowedAmounts): ([String], [String]) = ([], [])
    if let bytes, sum.byteCount > bytes {
      let (size, limit) = Int64.formattedSizes(sum.byteCount, bytes)
      actualAmounts.append(size)
      allowedAmounts.append(limit)
    }
    if let files, sum.fileCount > files {
      actualAmounts.append(sum.fileCount.counted("file"))
      allowedAmounts.append(files.counted("file"))
    }
    return (actualAmounts.joined(separator: " in "), allowedAmounts.joinedInWords)
  }
}

/// The use of one limit of a budget.
package struct BudgetUse: Sendable {
  /// The key of the budget in the scenario, and the pattern of the limit: `storage of 'tmp/**'`.
  package let name: String
  /// The unit of the limit: `bytes` or `files`.
  package let unit: String
  package let used: Int64
  package let limit: Int64

  package var isExceeded: Bool { used > limit }

  /// A phrase for people, such as `5.1 MB of 5.0 MB, too much`.
  package var phrase: String {
    let isSize = unit == "bytes"
    let (used, limit) =
      isSize ? Int64.formattedSizes(used, limit) : ("\(used)", Int(limit).counted("file"))
    return "\(used) of \(limit)\(!isExceeded ? "" : isSize ? ", too much" : ", too many")"
  }

  /// Returns the use of each limit of a budget; empty without a budget. `forEachFile` must pass
  /// each file and its size in bytes to its argument.
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
        entry.limit.bytes.map { ("bytes", sum.byteCount, $0) },
        entry.limit.files.map { ("files", Int64(sum.fileCount), Int64($0)) },
      ]
      return uses.compactMap(\.self).map { unit, used, limit in
        BudgetUse(name: name + scope, unit: unit, used: used, limit: limit)
      }
    }
  }
}
