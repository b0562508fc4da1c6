import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension ScenarioRun {
  /// Adds the cost of an operation to the tally before the operation is performed. Throws if the
  /// tally would exceed a limit.
  ///
  /// The tally counts new bytes, but does not subtract the bytes of removed files. Only if the
  /// limit seems to be exceeded, the run counts the bytes of all files again.
  mutating func charge(_ operation: FileOperation) throws(StepFailure) {
    guard tally.isLimited else { return }
    try tally.charge(creating: newItemCount(of: operation))
    try charge(bytes: try newByteCount(of: operation))
  }

  /// Adds the cost of one change to the tally before the change is made. Throws if the tally would
  /// exceed a limit.
  mutating func charge(_ change: FileChange) throws(StepFailure) {
    guard tally.isLimited else { return }
    try tally.charge(creating: tree.contains(change.path) ? 0 : 1)
    if case .clone(let source, to: _) = change {
      try charge(bytes: try occupiedBytes(of: tree, from: source))
    } else {
      try charge(bytes: Int64(change.memorySize))
    }
  }

  private mutating func charge(bytes: Int64) throws(StepFailure) {
    try tally.charge(bytes: bytes)
    try requireRoom(forBytes: bytes)
    tally.bytes += bytes
  }

  /// Throws if a number of additional bytes would exceed the limit.
  mutating func requireRoom(forBytes bytes: Int64) throws(StepFailure) {
    guard tally.isLimited else { return }
    if tally.exceedsLimit(adding: bytes) {
      tally.bytes = try occupiedBytes(of: tree)
    }
    guard !tally.exceedsLimit(adding: bytes) else {
      let totalByteCount = tally.bytes + tally.archivedBytes + bytes
      throw tally.failure(
        "bytes", tally.limits.bytes.formattedSize,
        "files and backups would take \(totalByteCount.formattedSize)")
    }
  }

  private func newItemCount(of operation: FileOperation) -> Int {
    let tree = self.tree
    switch operation {
    case .createDirectory(let path, _):
      return (path.ancestors + [path]).count { !tree.contains($0) }
    case .write(let path, _, method: _), .link(let path, _): return tree.contains(path) ? 0 : 1
    case .copy(let source, _): return tree[source]?.amount.itemCount ?? 0
    case .append, .move, .remove, .setMark: return 0
    }
  }

  private func newByteCount(of operation: FileOperation) throws(StepFailure) -> Int64 {
    switch operation {
    case .write(_, let contents, method: _), .append(_, let contents):
      return Int64(contents.memorySize)
    case .copy(let source, _):
      return try occupiedBytes(of: tree, from: source)
    case .createDirectory, .move, .remove, .link, .setMark: return 0
    }
  }

  /// Returns the number of bytes that files take on the machine's disk.
  private func occupiedBytes(
    of tree: FileTree, from path: ContainerPath? = nil,
    where isCounted: (ContainerPath) -> Bool = { _ in true }
  ) throws(StepFailure) -> Int64 {
    try failingStepOnError(
      try disk.container?.occupiedBytes(of: tree, from: path, where: isCounted) ?? 0)
  }

  /// Returns the container as it is now, and adds the cost of examining all of it to the tally.
  mutating func chargedCurrentTree() throws(StepFailure) -> FileTree {
    let tree = try currentTree()
    guard tally.isLimited else { return tree }
    // After the app's own code has run, `invalidateBytes` has replaced the actual bytes by the limit.
    let bytes = tally.exceedsLimit(adding: 1) ? 0 : tally.bytes
    try tally.charge(examining: tree.amount.itemCount, bytes: bytes)
    return tree
  }

  /// Adds to the tally the size of the files that the run keeps for a backup. Returns this size in
  /// bytes. Throws if the tally would exceed the limit.
  mutating func chargeArchive(of backupSet: BackupSet, in tree: FileTree) throws(StepFailure)
    -> Int64
  {
    guard tally.isLimited else { return 0 }
    let bytes = try occupiedBytes(of: tree) { backupSet.contains($0) }
    try requireRoom(forBytes: bytes)
    tally.archivedBytes += bytes
    return bytes
  }

  /// Adds the cost of a restore to the tally. Throws if the tally would exceed a limit.
  mutating func chargeRestore(of tree: FileTree, _ bytes: Int64) throws(StepFailure) {
    guard tally.isLimited else { return }
    try tally.charge(creating: tree.amount.itemCount, bytes: bytes)
    // A restore removes the former container.
    tally.bytes = 0
    try requireRoom(forBytes: bytes)
    tally.bytes = bytes
  }
}

/// The work that a run has done and the bytes that it has used on the machine, with their limits.
struct ResourceTally {
  /// The cost of a step, and of creating an item, in units of work.
  static let creationCost = 20
  private static let bytesPerUnit: Int64 = 10_000

  private(set) var limits = Scenario.RunLimits.none
  private(set) var work = 0
  /// The bytes of the container's files. Files that were removed since the last count are included.
  var bytes: Int64 = 0
  /// The bytes of the files that the run keeps for backups.
  var archivedBytes: Int64 = 0

  /// True if the run has limits. The session of a test without a scenario file has none.
  var isLimited: Bool { limits != .none }

  /// Returns true if a number of additional bytes, with those in the tally, exceeds the limit.
  func exceedsLimit(adding additionalBytes: Int64) -> Bool {
    additionalBytes > Int64(limits.bytes) - min(bytes + archivedBytes, Int64(limits.bytes))
  }

  /// Sets the bytes to the limit after the app's own code has run, so that the kit counts the
  /// files again before it writes more.
  mutating func invalidateBytes() { bytes = Int64(limits.bytes) - archivedBytes }

  /// Adds the work of a step. Throws if the sum would exceed the limit.
  mutating func charge(
    creating createdCount: Int = 0, examining examinedCount: Int = 0, bytes: Int64 = 0
  ) throws(StepFailure) {
    guard isLimited else { return }
    let totalWork =
      work + createdCount * Self.creationCost + examinedCount + Int(bytes / Self.bytesPerUnit)
    guard totalWork <= limits.work else {
      throw failure(
        "work", "\(limits.work)",
        "with this step the run would take \(totalWork) units of work (an item created counts "
          + "\(Self.creationCost), an item examined counts 1)")
    }
    work = totalWork
  }

  /// Returns the failure of a step that would exceed a limit. The key `throws` cannot expect this
  /// failure.
  func failure(_ limitName: String, _ limitText: String, _ excessClause: String) -> StepFailure {
    StepFailure(
      "\(excessClause), and the limit of a run is \(limitText), which protects against untrusted "
        + "scenario files. Create and copy less; or, if you trust the file, raise the limit: "
        + "scenario.run(options: .init(limits: .init(\(limitName): …))) in a test, or "
        + "--limit \(limitName)=… on the command line",
      .notAllowed)
  }
}
