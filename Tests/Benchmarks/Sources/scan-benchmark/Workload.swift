import BackupTesting
import Foundation

/// The container of the benchmark: small files in many directories, some of them marked.
enum Workload {
  /// The number of files in each directory that has files.
  static let filesPerDirectory = 100

  /// Creates a container with `files` files. Every fiftieth file and every hundredth directory is
  /// marked.
  static func make(_ files: Int, in folder: URL?) throws -> FakeContainer {
    let container = try FakeContainer(in: folder)
    for number in 0..<(files / filesPerDirectory) {
      let directory = directory(number)
      try container.apply(.createDirectory(ContainerPath(directory), intermediates: true))
      try mark(directory, if: number % 100 == 0, in: container)
      for file in 0..<filesPerDirectory {
        let path = "\(directory)/file \(file).json"
        try container.apply(.write(ContainerPath(path), .zeros(2), method: .inPlace))
        try mark(path, if: file % 50 == 0, in: container)
      }
    }
    return container
  }

  /// Returns a tree with `files` files whose names end in `suffix`. The files are not on disk.
  static func tree(_ files: Int, suffix: String) throws -> FileTree {
    var tree = FileTree.Layout.newlyInstalled.tree
    for number in 0..<(files / filesPerDirectory) {
      let directory = directory(number)
      tree.ensureDirectory(try ContainerPath(directory))
      for file in 0..<filesPerDirectory {
        let item = FileTree.Item(.file(FileTree.FileInformation(size: 2)))
        tree.insert(item, at: try ContainerPath("\(directory)/file \(file)\(suffix)"))
      }
    }
    return tree
  }

  /// Returns the path of a directory that has files.
  private static func directory(_ number: Int) -> String {
    "Documents/group \(number % 20)/directory \(number)"
  }

  private static func mark(
    _ path: String, if condition: Bool, in container: FakeContainer
  ) throws {
    guard condition else { return }
    try container.apply(.setMark(.resourceValue, on: ContainerPath(path), to: true))
  }
}
