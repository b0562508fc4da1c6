import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// The files that a budget speaks of, summed up for each of its limits.
struct BudgetTally {
  /// The budget.
  let budget: Scenario.Budget
  /// What there is, in the order of the limits.
  private(set) var sums: [FileSum]

  /// No file as yet.
  init(_ budget: Scenario.Budget) {
    self.budget = budget
    self.sums = Array(repeating: FileSum(), count: budget.entries.count)
  }

  /// Counts a file, or takes it out again.
  mutating func count(_ file: ContainerPath, _ size: Int64, isThere: Bool = true) {
    for index in budget.indices(for: file) {
      if isThere { sums[index].add(size) } else { sums[index].remove(size) }
    }
  }

  /// The indices of the limits that are exceeded.
  var exceededIndices: [Int] {
    sums.indices.filter { budget.entries[$0].limit.isExceeded(by: sums[$0]) }
  }

  /// The limits that are exceeded.
  var exceeded: [BudgetExcess] {
    exceededIndices.map { index in
      let entry = budget.entries[index]
      return BudgetExcess(
        index: index, pattern: entry.pattern, words: entry.limit.excess(of: sums[index]))
    }
  }
}

/// A limit of a budget that is exceeded.
struct BudgetExcess {
  /// Which of the limits.
  let index: Int
  /// The files that it is for; nil for all.
  let pattern: PathPattern?
  /// What there is more than may be, in words.
  let words: String

  /// The item that a finding is about: what the pattern names before its first wildcard.
  var path: ContainerPath? { pattern.flatMap { try? ContainerPath($0.fixedPrefix) } }

  /// `of 'Documents/**' `, the beginning of a sentence; empty for all files.
  var scope: String {
    pattern.map { "of '\(EscapedText.escape($0.description))' " } ?? ""
  }
}

extension Scenario.Budget.Limit {
  /// Whether there is more than this allows.
  fileprivate func isExceeded(by sum: FileSum) -> Bool {
    sum.bytes > bytes ?? .max || sum.files > files ?? .max
  }

  /// What of a sum is more than this allows, in words.
  fileprivate func excess(of sum: FileSum) -> String {
    var parts: [String] = []
    if let bytes, sum.bytes > bytes {
      parts.append("\(Int(sum.bytes).counted("byte")), more than the budget of \(bytes)")
    }
    if let files, sum.files > files {
      parts.append("\(sum.files.counted("file")), more than the budget of \(files)")
    }
    return parts.joinedInWords
  }
}

/// The largest of some files.
struct LargestFiles {
  /// A file and its size in bytes.
  private typealias File = (path: ContainerPath, size: Int64)

  /// How many are named.
  private let most: Int
  /// The largest so far, the largest first; of equal ones the first that came.
  private var files: [File] = []

  /// None as yet.
  init(_ most: Int) {
    self.most = most
  }

  /// Looks at a file.
  mutating func add(_ path: ContainerPath, _ size: Int64) {
    if files.count == most, let last = files.last, last.size >= size { return }
    let index = files.firstIndex { $0.size < size } ?? files.endIndex
    files.insert((path, size), at: index)
    if files.count > most { files.removeLast() }
  }

  /// `; the largest file is 'a' with 9 bytes`, the end of a sentence; empty where there is none.
  var words: String {
    let names = files.map { "'\($0.path)' with \(Int($0.size).counted("byte"))" }
    guard !names.isEmpty else { return "" }
    let verb = names.count.form("file is", plural: "files are")
    return "; the largest \(verb) \(names.joinedInWords)"
  }
}
