import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension StepKind {
  static let expectBackup: StepKind = {
    let lists = Field(
      "expectBackup",
      .patterns(
        expected: ("contains", "Patterns that must each match an item in the backup."),
        unexpected: ("lacks", "Patterns that must not match any item in the backup.")),
      default: .required, "Patterns, at least one list of them.")
    return StepKind(
      .expectBackup, lists,
      "What the latest backup must contain, and what it must not. Directories count as items.",
      examples: [["expectBackup": ["lacks": ["Library/Caches/**"]]]]
    ) { step in
      step[lists].map { .check(.backup($0)) }
    }
  }()

  static let missingBackupMessage = "there is no backup yet; put a 'backup' step before this one"
}

extension ScenarioRun {
  mutating func expectBackup(_ patterns: ExpectedPatterns) throws(StepFailure) {
    guard let backup = latestBackup else { throw StepFailure(StepKind.missingBackupMessage) }
    let label = EscapedText.escape(backup.label)
    var examinedCount = 0
    try patterns.require { directory, visit in
      examinedCount += backup.contents.visitIncluded(in: directory, visit)
    } messageIfMissing: { pattern in
      let excludedItem = backup.contents.leftOut.first { pattern.matchesInside($0.path) }
      let reason = excludedItem.flatMap { item in
        item.reason.map { ": '\(item.path)' is excluded, \($0)" }
      }
      return "the backup \"\(label)\" contains no item that matches "
        + "'\(pattern.shown)'\(reason ?? "")"
    } messageIfFound: { path, pattern in
      "the backup \"\(label)\" contains '\(path)', but must not contain '\(pattern.shown)'"
    }
    try tally.charge(examining: examinedCount)
  }
}

extension BackupSet {
  /// Calls `visit` for each item that the backup contains, until `visit` returns false. If
  /// `directory` is not nil, visits only this directory and the items in it.
  ///
  /// Returns the number of decisions that the method read.
  fileprivate func visitIncluded(
    in directory: ContainerPath?, _ visit: (ContainerPath) -> Bool
  ) -> Int {
    var examinedCount = 0
    let startIndex = directory.map { directory in
      decisions.partitioningIndex { !$0.path.precedesInWalk(directory) }
    }
    for decision in decisions[(startIndex ?? decisions.startIndex)...] {
      if let directory, !directory.covers(decision.path) { break }
      examinedCount += 1
      if decision.isIncluded, !visit(decision.path) { break }
    }
    return examinedCount
  }
}
