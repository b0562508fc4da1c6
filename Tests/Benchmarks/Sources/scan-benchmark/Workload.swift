import BackupTesting
import Foundation

/// The container that is scanned: many small files in many directories, some of them marked.
enum Workload {
  /// How many files each directory right above files holds.
  static let filesInEach = 100

  /// Makes a container of so many files in a folder; every fiftieth file and hundredth directory is
  /// marked.
  static func make(_ files: Int, in folder: URL?) throws -> FakeContainer {
    let container = try FakeContainer(in: folder)
    for number in 0..<(files / filesInEach) {
      let directory = directory(number)
      try container.apply(.createDirectory(ContainerPath(directory), intermediates: true))
      try mark(directory, if: number % 100 == 0, in: container)
      for file in 0..<filesInEach {
        let path = "\(directory)/file \(file).json"
        try container.apply(.write(ContainerPath(path), .zeros(2), method: .inPlace))
        try mark(path, if: file % 50 == 0, in: container)
      }
    }
    return container
  }

  /// A tree of so many files in memory, whose names end in `suffix`.
  static func tree(_ files: Int, suffix: String) throws -> FileTree {
    var tree = FileTree.Layout.newlyInstalled.tree
    for number in 0..<(files / filesInEach) {
      let directory = directory(number)
      tree.ensureDirectory(try ContainerPath(directory))
      for file in 0..<filesInEach {
        let item = FileTree.Item(.file(FileTree.FileInformation(size: 2)))
        tree.insert(item, at: try ContainerPath("\(directory)/file \(file)\(suffix)"))
      }
    }
    return tree
  }

  /// The path of a directory right above files.
  private static func directory(_ number: Int) -> String {
    "Documents/group \(number % 20)/directory \(number)"
  }

  /// Marks an item where `condition` holds.
  private static func mark(
    _ path: String, if condition: Bool, in container: FakeContainer
  ) throws {
    guard condition else { return }
    try container.apply(.setMark(.resourceValue, on: ContainerPath(path), to: true))
  }
}
