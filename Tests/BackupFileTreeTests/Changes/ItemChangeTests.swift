import TestSupport
import Testing
import TreeSupport

@testable import BackupFileTree

/// Each operation reports which items it changes.
@Suite struct ItemChangeTests {
  /// A container with a file, `Documents/a`.
  private var tree: FileTree {
    get throws {
      var tree = FileTree.Layout.newlyInstalled.tree
      try tree.apply(.save("Documents/a"))
      return tree
    }
  }

  @Test(
    arguments: [
      (.save("tmp/x"), [.created("tmp/x")]),
      (.write("tmp/x", .zeros(1), method: .inPlace), [.created("tmp/x")]),
      (.write("tmp/x", .zeros(1), method: .deleteFirst), [.created("tmp/x")]),
      (.save("Documents/a"), [.replaced("Documents/a")]),
      (.write("Documents/a", .zeros(1), method: .deleteFirst), [.replaced("Documents/a")]),
      (.write("Documents/a", .zeros(1), method: .inPlace), [.savedInPlace("Documents/a")]),
      (.append("Documents/a", .zeros(1)), [.savedInPlace("Documents/a")]),
      (.makeDirectory("tmp/d"), [.created("tmp/d")]),
      (
        .createDirectory("tmp/d/e/f", intermediates: true),
        [.created("tmp/d"), .created("tmp/d/e"), .created("tmp/d/e/f")]
      ),
      (.createDirectory("tmp", intermediates: true), []),
      (
        .move("Documents/a", to: "tmp/a", replacing: false), [.moved("Documents/a", to: "tmp/a")]
      ),
      (.move("Documents/a", to: "Documents/a", replacing: true), []),
      (.copy("Documents/a", to: "tmp/a"), [.copied("Documents/a", to: "tmp/a")]),
      (.remove("Documents"), [.removed("Documents")]),
      (.link("tmp/l", destination: "Documents"), [.created("tmp/l")]),
      (.mark("Documents/a"), [.marked("Documents/a", .resourceValue)]),
      (
        .setMark(.extendedAttribute, on: "Documents/a", to: false),
        [.cleared("Documents/a", .extendedAttribute)]
      ),
    ] as [(FileOperation, [FileTree.Change])])
  func `an operation reports its changes`(
    operation: FileOperation, changes: [FileTree.Change]
  ) throws {
    let tree = try tree
    #expect(tree.changes(by: operation) == changes)
    for change in changes { #expect(operation.path.isNamed(by: change)) }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `a successful operation changes only the items that it reports`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var tree = FileTree.Layout.newlyInstalled.tree
    for _ in 0..<300 {
      let before = tree
      let operation = FileOperation.random(using: &random)
      guard thrownError({ () throws(FileOperation.Failure) in try tree.apply(operation) }) == nil
      else {
        #expect(tree == before)
        continue
      }
      let reportedPaths = before.changes(by: operation).flatMap(\.paths)
      for path in Set(before.paths + tree.paths)
      where before[path]?.withoutChildren != tree[path]?.withoutChildren {
        #expect(reportedPaths.contains { $0.covers(path) }, "\(operation): \(path)")
      }
    }
  }
}

extension ContainerPath {
  /// Whether a change concerns this item, or a directory created for it.
  fileprivate func isNamed(by change: FileTree.Change) -> Bool { change.path.covers(self) }
}

extension FileTree.Change {
  /// The paths in the change.
  fileprivate var paths: [ContainerPath] {
    if case .moved(let source, _) = self { [source, path] } else { [path] }
  }
}

extension FileTree.Item {
  /// The item without its children.
  fileprivate var withoutChildren: FileTree.Item {
    isDirectory ? FileTree.Item(.directory(FileTree.Children()), marks: marks) : self
  }
}
