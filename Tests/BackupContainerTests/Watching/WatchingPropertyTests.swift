import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// What is derived from the disk agrees with what the operations say.
@Suite struct WatchingPropertyTests {
  @Test(arguments: Thoroughness.seeds(6, of: 12))
  func `a single operation is derived as it says`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer()
    var tree = FileTree.Layout.newlyInstalled.tree
    for number in 1...60 {
      let operation = FileOperation.random(using: &random)
      let isProbing = Bool.random(using: &random)
      let before = tree
      let watch = try container.beginWatching(probing: isProbing)
      let error = outcome { () throws(FileOperation.Failure) in try container.apply(operation) }
      let trace = try container.endWatching(watch)
      if error == nil { try tree.apply(operation) }
      let expected = error == nil ? before.visibleChanges(by: operation, to: tree) : []
      let name = Comment(rawValue: "\(number): \(operation), probing \(isProbing)")
      #expect(
        Set(trace.changes.map(\.seen)) == Set(expected.map(\.seen))
          || operation.mayGoUnseen && trace.changes.isEmpty, name)
    }
    try container.remove()
  }

  @Test(arguments: Thoroughness.seeds(8, of: 25))
  func `from the changes of many operations follow the paths that are there`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer()
    for _ in 1...6 {
      let before = try container.scan()
      let watch = try container.beginWatching(probing: false)
      for _ in 0..<Int.random(in: 1...25, using: &random) {
        let operation = FileOperation.random(using: &random)
        _ = outcome { () throws(FileOperation.Failure) in try container.apply(operation) }
      }
      let trace = try container.endWatching(watch)
      #expect(trace.tree == (try container.scan()))
      #expect(PathLedger(before).following(trace.changes, trace.tree) == Set(trace.tree.paths))
      #expect(Set(trace.changes).count == trace.changes.count)
    }
    try container.remove()
  }

  @Test(arguments: Thoroughness.seeds(8, of: 25))
  func `probing changes no mark of an item that was not saved`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer()
    for _ in 0..<120 {
      let operation = FileOperation.random(using: &random)
      _ = outcome { () throws(FileOperation.Failure) in try container.apply(operation) }
    }
    let before = try container.scan()
    let trace = try container.endWatching(try container.beginWatching(probing: true))
    #expect(trace.tree == before)
    #expect(trace.changes.isEmpty)
    try container.remove()
  }
}

/// Where items are, by the changes alone.
private struct PathLedger {
  /// The paths that are there.
  private var paths: Set<ContainerPath>

  /// Begins with what is in a container.
  init(_ tree: FileTree) {
    paths = Set(tree.paths)
  }

  /// The paths after the changes; what came along with a moved or copied directory is in the tree.
  func following(_ changes: [FileTree.Change], _ tree: FileTree) -> Set<ContainerPath> {
    var now = paths
    for change in changes {
      switch change {
      case .created(let path), .replaced(let path):
        now.insert(path)
      case .removed(let path):
        now = now.filter { !path.covers($0) }
      case .moved(let source, to: let path):
        now = now.filter { !source.covers($0) }
        tree[path]?.walk(at: path) { found, _ in now.insert(found).inserted || true }
      case .copied(_, to: let path):
        tree[path]?.walk(at: path) { found, _ in now.insert(found).inserted || true }
      case .savedInPlace, .marked, .cleared:
        break
      }
    }
    // What a circle of moves or a path used again seems to take away is still found on disk.
    return now.union(tree.paths.filter { path in changes.contains { $0.path.covers(path) } })
  }
}

extension FileTree.Change {
  /// The change as a look can tell it: a new item is one, whether another was there or not.
  fileprivate var seen: FileTree.Change {
    if case .replaced(let path) = self { .created(path) } else { self }
  }
}

extension FileOperation {
  /// Whether the operation may leave the disk as it was: it writes nothing.
  fileprivate var mayGoUnseen: Bool {
    switch self {
    case .append(_, let contents), .write(_, let contents, method: .inPlace): contents.size == 0
    default: false
    }
  }
}

extension FileTree {
  /// What two looks can tell of an operation that was done on this tree and left another.
  fileprivate func visibleChanges(by operation: FileOperation, to after: FileTree) -> [Change] {
    switch operation {
    case .copy(_, to: let path):
      // The kit's own copy bears no stamp, so each item of it is new.
      return after.newItems(from: path)
    case .move(let source, to: let path, _):
      if source == path { return [] }
      if case .link = after[path]?.kind { return [.removed(source), .created(path)] }
      return [.moved(source, to: path)]
    case .setMark(let mark, on: let path, to: let isSet):
      // Marking again is seen, clearing what is not marked is not.
      let isMarked = self[path]?.marks.contains(mark) == true
      if isSet, isMarked, mark == .extendedAttribute { return [] }
      return isSet || isMarked ? changes(by: operation) : []
    default:
      return changes(by: operation)
    }
  }

  /// The changes that made everything from a path down.
  private func newItems(from path: ContainerPath) -> [Change] {
    var changes: [Change] = []
    self[path]?.walk(at: path) { found, item in
      changes.append(.created(found))
      for mark in ExclusionMark.all where item.marks.contains(mark) {
        changes.append(.marked(found, mark))
      }
      return true
    }
    return changes
  }
}
