import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// A container on disk and its tree, on which every operation is done twice.
struct Twin {
  let container: FakeContainer
  private(set) var tree: FileTree

  init(_ container: FakeContainer? = nil) throws {
    self.container = try container ?? FakeContainer()
    tree = try container?.scan() ?? FileTree.Layout.newlyInstalled.tree
  }

  /// Does an operation on both and requires that they agree.
  ///
  /// - Returns: The error of both, or nil.
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

  /// Does the changes of an operation on both, one after the other, and requires that they agree.
  mutating func performByChanges(_ operation: FileOperation) throws {
    for change in operation.changes(in: tree) {
      try tree.apply(change)
      try container.apply(change)
      let scanned = try container.scan(.allHeaders)
      try #require(scanned == tree, "\(change) of \(operation)")
    }
  }

  /// Does operations of which none may fail.
  mutating func prepare(
    _ operations: FileOperation..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for operation in operations {
      let error = try perform(operation, sourceLocation: sourceLocation)
      try #require(error == nil, sourceLocation: sourceLocation)
    }
  }
}
