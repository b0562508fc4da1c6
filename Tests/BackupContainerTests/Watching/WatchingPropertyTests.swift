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
