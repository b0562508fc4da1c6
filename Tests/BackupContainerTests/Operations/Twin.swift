import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// A container on disk and its tree. Each operation is performed on both, and both must stay equal.
struct Twin {
  let container: FakeContainer
  private(set) var tree: FileTree

  init(_ container: FakeContainer? = nil) throws {
    self.container = try container ?? FakeContainer()
    tree = try container?.scan() ?? FileTree.Layout.newlyInstalled.tree
  }

  /// Performs an operation on the disk and on the tree, and requires equal results.
  ///
  /// - Returns: The error that both threw, or nil.
  @discardableResult
  mutating func perform(
    _ operation: FileOperation, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> FileOperation.Failure? {
    let onTree = thrownError { () throws(FileOperation.Failure) in try tree.apply(operation) }
    let onDisk = thrownError { () throws(FileOperation.Failure) in try container.apply(operation) }
    #expect(onTree == onDisk, "\(operation)", sourceLocation: sourceLocation)
    let scanned = try container.scan(.allHeaders)
    try #require(scanned == tree, "\(operation)", sourceLocation: sourceLocation)
    return onTree
  }

  /// Performs the changes of an operation one by one, and requires equal results after each.
  mutating func performByChanges(_ operation: FileOperation) throws {
    for change in operation.changes(in: tree) {
      try tree.apply(change)
      try container.apply(change)
      let scanned = try container.scan(.allHeaders)
      try #require(scanned == tree, "\(change) of \(operation)")
    }
  }

  /// Performs operations and requires that none fails.
  mutating func prepare(
    _ operations: FileOperation..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for operation in operations {
      let error = try perform(operation, sourceLocation: sourceLocation)
      try #require(error == nil, sourceLocation: sourceLocation)
    }
  }
}
