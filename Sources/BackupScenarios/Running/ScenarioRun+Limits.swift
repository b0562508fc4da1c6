import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension ScenarioRun {
  /// Refuses an operation that would be more work, or take more of the disk, than a run may. It is
  /// charged before anything is made.
  ///
  /// Bytes are counted as they come. Those that go are taken off when the limit seems to be met, by a
  /// look at what is left.
  mutating func requireRoom(for operation: FileOperation) throws(StepFailure) {
    guard tally.isLimited else { return }
    try tally.charge(making: newItems(of: operation))
    try charge(bytes: try newBytes(of: operation))
  }

  /// The same for a change of an operation.
  mutating func requireRoom(for change: FileChange) throws(StepFailure) {
    guard tally.isLimited else { return }
    try tally.charge(making: tree.contains(change.path) ? 0 : 1)
    if case .clone(let source, to: _) = change {
      try charge(bytes: try occupiedBytes(of: tree, from: source))
    } else {
      try charge(bytes: Int64(change.byteCount))
    }
  }

  private mutating func charge(bytes: Int64) throws(StepFailure) {
    try tally.charge(bytes: bytes)
    try requireRoom(forBytes: bytes)
    tally.bytes += bytes
  }

  /// Refuses to go on where so many more bytes are too many.
  mutating func requireRoom(forBytes bytes: Int64) throws(StepFailure) {
    guard tally.isLimited else { return }
    if tally.exceeds(bytes: bytes) {
      tally.bytes = try occupiedBytes(of: tree)
    }
    guard !tally.exceeds(bytes: bytes) else {
      let sum = tally.bytes + tally.archivedBytes + bytes
      throw tally.failure(
        "bytes", tally.limits.bytes.formattedSize,
        "files and backups would take \(sum.formattedSize)")
    }
  }

  private func newItems(of operation: FileOperation) -> Int {
    let tree = self.tree
    switch operation {
    case .createDirectory(let path, _):
      return (path.ancestors + [path]).count { !tree.contains($0) }
    case .write(let path, _, method: _), .link(let path, _): return tree.contains(path) ? 0 : 1
    case .copy(let source, _): return tree[source]?.amount.items ?? 0
    case .append, .move, .remove, .setMark: return 0
    }
  }

  private func newBytes(of operation: FileOperation) throws(StepFailure) -> Int64 {
    switch operation {
    case .write(_, let contents, method: _), .append(_, let contents):
      return Int64(contents.byteCount)
    case .copy(let source, _):
      return try occupiedBytes(of: tree, from: source)
    case .createDirectory, .move, .remove, .link, .setMark: return 0
    }
  }

  /// How many bytes files take of the machine.
  private func occupiedBytes(
    of tree: FileTree, from path: ContainerPath? = nil,
    where isCounted: (ContainerPath) -> Bool = { _ in true }
  ) throws(StepFailure) -> Int64 {
    try onDisk(
      try disk.container?.occupiedBytes(of: tree, from: path, where: isCounted) ?? 0)
  }

  /// The container as it is now, for a step that looks at all of it and is charged for that.
  mutating func lookAtAll() throws(StepFailure) -> FileTree {
    let tree = try look()
    guard tally.isLimited else { return tree }
    // After code of the app's own the bytes count as all that there may be, until they are looked at.
    let bytes = tally.exceeds(bytes: 1) ? 0 : tally.bytes
    try tally.charge(lookingAt: tree.amount.items, bytes: bytes)
    return tree
  }

  /// Refuses to keep a backup's files where these would take too much of the disk.
  mutating func roomForArchive(of set: BackupSet, in tree: FileTree) throws(StepFailure) -> Int64 {
    guard tally.isLimited else { return 0 }
    let bytes = try occupiedBytes(of: tree) { set.contains($0) }
    try requireRoom(forBytes: bytes)
    tally.archivedBytes += bytes
    return bytes
  }

  /// Refuses a restore of more than the disk may hold, and counts what it leaves there.
  mutating func requireRoom(toRestore tree: FileTree, _ bytes: Int64) throws(StepFailure) {
    guard tally.isLimited else { return }
    try tally.charge(making: tree.amount.items, bytes: bytes)
    // The container before it goes.
    tally.bytes = 0
    try requireRoom(forBytes: bytes)
    tally.bytes = bytes
  }
}

/// What a run has taken of the machine so far, held against its limits.
struct ResourceTally {
  /// How many units of work a step is, and an item that it makes.
  static let itemCost = 20
  private static let bytesOfUnit: Int64 = 10_000

  private(set) var limits = Scenario.RunLimits.none
  private(set) var work = 0
  /// How many bytes the container's files take, or more if some were removed since they were counted.
  var bytes: Int64 = 0
  var archivedBytes: Int64 = 0

  /// Whether anything is limited; a test's own code is not.
  var isLimited: Bool { limits != .none }

  /// Whether so many more bytes, those of archives with them, are too many by what is counted.
  func exceeds(bytes more: Int64) -> Bool {
    more > Int64(limits.bytes) - min(bytes + archivedBytes, Int64(limits.bytes))
  }

  /// Notes that code of the app's own has acted: what it left is counted before the kit makes more.
  mutating func forgetBytes() { bytes = Int64(limits.bytes) - archivedBytes }

  /// Charges what a step is about to do, and refuses it if it is too much.
  mutating func charge(
    making made: Int = 0, lookingAt seen: Int = 0, bytes: Int64 = 0
  ) throws(StepFailure) {
    guard isLimited else { return }
    let sum = work + made * Self.itemCost + seen + Int(bytes / Self.bytesOfUnit)
    guard sum <= limits.work else {
      throw failure(
        "work", "\(limits.work)",
        "with this step the run would take \(sum) units of work (an item created counts "
          + "\(Self.itemCost), an item examined counts 1)")
    }
    work = sum
  }

  /// The failure of a step that would take more than a limit allows, which no `throws` asks for.
  func failure(_ name: String, _ limit: String, _ what: String) -> StepFailure {
    StepFailure(
      "\(what), and the limit of a run is \(limit), which protects against untrusted "
        + "scenario files. Create and copy less; or, if you trust the file, raise the limit: "
        + "scenario.run(options: .init(limits: .init(\(name): …))) in a test, or "
        + "--limit \(name)=… on the command line",
      .notAllowed)
  }
}
