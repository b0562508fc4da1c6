@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupScenarios
@testable import BackupVerdicts

extension Mutant {
  /// An operation on disk that comes out otherwise.
  ///
  /// - Parameters:
  ///   - name: What is wrong.
  ///   - near: The scenario folders to try first.
  ///   - perform: Takes the operation, the container, the tree before, and the right way to do it.
  /// - Returns: The mutant.
  static func operation(
    _ name: String, near: [String] = ["saving/", "moves/"],
    _ perform:
      @escaping @Sendable (
        FileOperation, FakeContainer, FileTree, (FileOperation) throws -> Void
      ) throws -> Void
  ) -> Mutant {
    Mutant(name, of: .function("apply"), near: near) { kit in
      let standard = kit.suite.runner.simulators.apply
      kit.suite.runner.simulators.apply = { operation, container throws(FileOperation.Failure) in
        do {
          try perform(operation, container, try container.scan()) { try standard($0, container) }
        } catch {
          throw error as? FileOperation.Failure
            ?? FileOperation.Failure(.failed, operation.path, underlying: "\(error)")
        }
      }
    }
  }
}

extension FakeContainer {
  /// Makes an item's marks just these.
  func setMarks(_ marks: ExclusionMark, on path: ContainerPath) throws(FileOperation.Failure) {
    for mark in ExclusionMark.all {
      try apply(.setMark(mark, on: path, to: marks.contains(mark)))
    }
  }

  /// Takes the marks off an item and all in it.
  func clearMarks(at path: ContainerPath) throws(FileOperation.Failure) {
    let tree = (try? scan()) ?? FileTree()
    try tree[path]?.walk(at: path) { found, item throws(FileOperation.Failure) in
      if !item.marks.isEmpty { try setMarks([], on: found) }
      return true
    }
  }
}
