import BackupContainer
import BackupDevice
import BackupFileTree

extension ScenarioRun {
  /// Refuses an operation that would make more items, or take more of the disk, than a run may.
  ///
  /// Items and bytes are counted as they come. Those that go are taken off when a limit seems to be
  /// met, by a look at what is left.
  mutating func requireRoom(for operation: FileOperation) throws(StepFailure) {
    guard tally.isLimited else { return }
    let items = newItems(of: operation)
    if tally.exceeds(items: items) { tally.items = tree.amount.items }
    guard !tally.exceeds(items: items) else {
      throw tally.failure(.items, "the container would have \(tally.items + items) items")
    }
    let bytes = try newBytes(of: operation)
    try requireRoom(forBytes: bytes)
    tally.items += items
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
      throw tally.failure(.bytes, "files and what is kept of backups would take \(sum) bytes")
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

  /// Refuses a step of the system's where with it the run's would be about too many items.
  mutating func list(_ tree: FileTree) throws(StepFailure) {
    if tally.isLimited { try tally.list(tree.amount.items) }
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
    try list(tree)
    // The container before it goes.
    tally.bytes = 0
    try requireRoom(forBytes: bytes)
    tally.bytes = bytes
  }
}
