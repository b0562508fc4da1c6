import Testing

@testable package import BackupContainer
@testable package import BackupFileTree

/// A container on disk and its tree, on which every operation is done twice.
struct Twin {
  /// The disk.
  let container: FakeContainer
  /// The value.
  private(set) var tree = FileTree.Layout.newlyInstalled.tree

  init() throws {
    container = try FakeContainer()
  }

  /// Does an operation on both and requires that they agree.
  ///
  /// - Returns: The error of both, or nil.
  @discardableResult
  mutating func perform(
    _ operation: FileOperation, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> FileOperationError? {
    let onTree = outcome { () throws(FileOperationError) in try tree.perform(operation) }
    let onDisk = outcome { () throws(FileOperationError) in try container.perform(operation) }
    #expect(onTree == onDisk, "\(operation)", sourceLocation: sourceLocation)
    let scanned = try container.scan(headers: .everyFile)
    #expect(scanned == tree, "\(operation)", sourceLocation: sourceLocation)
    return onTree
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

/// The error a body ends in, or nil.
func outcome<Failure: Error>(_ body: () throws(Failure) -> Void) -> Failure? {
  do throws(Failure) {
    try body()
    return nil
  } catch {
    return error
  }
}

extension ContainerPath: ExpressibleByStringLiteral {
  /// A path that the test's author knows to be right.
  package init(stringLiteral text: String) {
    self.init(unchecked: Array(text.utf8))
  }
}

extension FileOperation {
  /// Writes a short text atomically, as most saves do.
  static func save(_ path: ContainerPath) -> FileOperation {
    .write(path, .text("saved"), method: .atomically)
  }

  /// Marks an item as today's apps do.
  static func mark(_ path: ContainerPath) -> FileOperation {
    .setMark(.resourceValue, on: path, to: true)
  }

  /// Makes a single directory.
  static func makeDirectory(_ path: ContainerPath) -> FileOperation {
    .createDirectory(path, intermediates: false)
  }
}
