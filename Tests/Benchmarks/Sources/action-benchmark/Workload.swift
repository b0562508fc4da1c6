import BackupTesting
import Foundation

/// The container of the benchmark: 10,000 small files, some of them marked.
enum Workload {
  private static let directoryCount = 100
  private static let filesPerDirectory = 100
  /// The number of files in all directories.
  static let files = directoryCount * filesPerDirectory

  /// A simulated step, as in a scenario file.
  static let step = "{ save: 'Documents/directory 7/file 8.json', size: 3 }"

  /// Creates the files. Every fiftieth file and every tenth directory is marked.
  static func fill(_ container: FakeContainer) throws {
    for number in 0..<directoryCount {
      let directory = "Documents/directory \(number)"
      try container.apply(.createDirectory(ContainerPath(directory), intermediates: true))
      try mark(directory, if: number % 10 == 0, in: container)
      for file in 0..<filesPerDirectory {
        let path = "\(directory)/file \(file).json"
        try container.apply(.write(ContainerPath(path), .text("{}"), method: .inPlace))
        try mark(path, if: file % 50 == 0, in: container)
      }
    }
  }

  /// Saves one file atomically and one in place, as the app's own code.
  static func act(_ container: FakeContainer) throws {
    let directory = container.documents.appending(path: "directory 50")
    try Data("{ }".utf8).write(to: directory.appending(path: "file 1.json"), options: .atomic)
    try Data("{  }".utf8).write(to: directory.appending(path: "file 2.json"))
  }

  private static func mark(
    _ path: String, if condition: Bool, in container: FakeContainer
  ) throws {
    guard condition else { return }
    try container.apply(.setMark(.resourceValue, on: ContainerPath(path), to: true))
  }
}
