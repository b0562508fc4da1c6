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
    let bytes = try newBytes(of: operation)
    try tally.charge(bytes: bytes)
    try requireRoom(forBytes: bytes)
    tally.bytes += bytes
  }

  /// Refuses to go on where so many more bytes are too many.
  mutating func requireRoom(forBytes bytes: Int64) throws(StepFailure) {
    guard tally.isLimited else { return }
    if tally.exceeds(bytes: bytes) {
      tally.bytes = try onDisk(
        try disk.occupiedBytes(of: tree, from: nil) { _ in true })
    }
    guard !tally.exceeds(bytes: bytes) else {
      let sum = tally.bytes + tally.archivedBytes + bytes
      throw tally.failure(.bytes, "files and backups would take \(sum.formattedSize)")
    }
  }

  private func newItems(of operation: FileOperation) -> Int {
    let tree = self.tree
    switch operation {
    case .createDirectory(let path, _):
      return (path.ancestors + [path]).count { !tree.contains($0) }
    case .write(let path, _, method: _), .link(let path, _): return tree.contains(path) ? 0 : 1
    case .copy(let source, _): return tree[source]?.amount.items ?? 0
    default: return 0
    }
  }

  /// How many bytes of the disk an operation takes.
  private func newBytes(of operation: FileOperation) throws(StepFailure) -> Int64 {
    switch operation {
    case .write(_, .bytes(let bytes), method: _), .append(_, .bytes(let bytes)):
      return Int64(bytes.count)
    case .copy(let source, _):
      return try onDisk(try disk.occupiedBytes(of: tree, from: source) { _ in true })
    default: return 0
    }
  }

  /// Charges a step that looks at the whole container, or at a backup.
  mutating func list(_ tree: FileTree) throws(StepFailure) {
    guard tally.isLimited else { return }
    // After code of the app's own the bytes count as all that there may be, until they are looked at.
    let bytes = tally.exceeds(bytes: 1) ? 0 : tally.bytes
    try tally.charge(lookingAt: tree.amount.items, bytes: bytes)
  }

  /// Refuses to keep a backup's files where these would take too much of the disk.
  ///
  /// - Returns: How many bytes they take.
  mutating func roomForArchive(
    of set: BackupSet, in tree: FileTree
  ) throws(StepFailure) -> Int64 {
    guard tally.isLimited else { return 0 }
    let bytes = try onDisk(try disk.occupiedBytes(of: tree, from: nil) { set.contains($0) })
    try requireRoom(forBytes: bytes)
    tally.archive(bytes: bytes)
    return bytes
  }

  /// Refuses a restore of more than the disk may hold, and counts what it leaves there.
  mutating func requireRoom(
    toRestore tree: FileTree, _ bytes: Int64
  ) throws(StepFailure) {
    guard tally.isLimited else { return }
    try tally.charge(making: tree.amount.items, bytes: bytes)
    // The container before it goes.
    tally.bytes = 0
    try requireRoom(forBytes: bytes)
    tally.bytes = bytes
  }
}
