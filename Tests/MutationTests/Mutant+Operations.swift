@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupScenarios
@testable import BackupVerdicts

extension Mutant {
  /// A kit in which some operations on the disk have a wrong effect.
  ///
  /// - Parameters:
  ///   - name: The wrong effect in a few words.
  ///   - near: The scenario folders to try first.
  ///   - perform: Performs an operation. Its arguments are the operation, the container, the tree
  ///     before the operation, and a function that performs an operation correctly.
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
  /// Sets these marks on an item, and clears all other marks.
  func setMarks(_ marks: ExclusionMark, on path: ContainerPath) throws(FileOperation.Failure) {
    for mark in ExclusionMark.all {
      try apply(.setMark(mark, on: path, to: marks.contains(mark)))
    }
  }

  /// Clears the marks of an item and of all items in it.
  func clearMarks(at path: ContainerPath) throws(FileOperation.Failure) {
    let tree = (try? scan()) ?? FileTree()
    try tree[path]?.walk(at: path) { found, item throws(FileOperation.Failure) in
      if !item.marks.isEmpty { try setMarks([], on: found) }
      return true
    }
  }
}
