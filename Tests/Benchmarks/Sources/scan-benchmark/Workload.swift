import BackupTesting
import Foundation

/// The container that is scanned: many small files in many directories, some of them marked.
enum Workload {
  /// How many directories there are right above files.
  static let directories = 1_000
  /// How many files each of them holds.
  static let filesInEach = 100

  /// Makes the container in a folder; every fiftieth file and hundredth directory is marked.
  static func make(in folder: URL) throws -> FakeContainer {
    let container = try FakeContainer(in: folder)
    for number in 0..<directories {
      let directory = "Documents/group \(number % 20)/directory \(number)"
      try container.perform(.createDirectory(ContainerPath(directory), intermediates: true))
      try mark(directory, if: number % 100 == 0, in: container)
      for file in 0..<filesInEach {
        let path = "\(directory)/file \(file).json"
        try container.perform(.write(ContainerPath(path), .text("{}"), method: .inPlace))
        try mark(path, if: file % 50 == 0, in: container)
      }
    }
    return container
  }

  /// Marks an item where `condition` holds.
  private static func mark(
    _ path: String, if condition: Bool, in container: FakeContainer
  ) throws {
    guard condition else { return }
    try container.perform(.setMark(.resourceValue, on: ContainerPath(path), to: true))
  }
}
