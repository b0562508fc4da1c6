import BackupTesting
import Foundation

/// The container that is worked in: 10,000 small files, some of them marked.
enum Workload {
  /// How many directories there are.
  private static let directories = 100
  /// How many files each of them holds.
  private static let filesInEach = 100
  /// How many files that is in all.
  static let files = directories * filesInEach

  /// A step that the kit does itself, as a scenario file has it.
  static let step = "{ save: 'Documents/directory 7/file 8.json', size: 3 }"

  /// Makes the files; every fiftieth one and every tenth directory is marked.
  static func fill(_ container: FakeContainer) throws {
    for number in 0..<directories {
      let directory = "Documents/directory \(number)"
      try container.apply(.createDirectory(ContainerPath(directory), intermediates: true))
      try mark(directory, if: number % 10 == 0, in: container)
      for file in 0..<filesInEach {
        let path = "\(directory)/file \(file).json"
        try container.apply(.write(ContainerPath(path), .text("{}"), method: .inPlace))
        try mark(path, if: file % 50 == 0, in: container)
      }
    }
  }

  /// What the app's code does: it saves one file, and another one in place.
  static func act(_ container: FakeContainer) throws {
    let directory = container.documents.appending(path: "directory 50")
    try Data("{ }".utf8).write(to: directory.appending(path: "file 1.json"), options: .atomic)
    try Data("{  }".utf8).write(to: directory.appending(path: "file 2.json"))
  }

  /// Marks an item where `condition` holds.
  private static func mark(
    _ path: String, if condition: Bool, in container: FakeContainer
  ) throws {
    guard condition else { return }
    try container.apply(.setMark(.resourceValue, on: ContainerPath(path), to: true))
  }
}
