import BackupFileTree
import Testing

@testable import BackupScenarios

/// Exploration kills the app before some of the changes that its code makes.
@Suite struct `Crash points of recorded changes` {
  @Test func `of the changes to preferences, only the first after another change is one`() throws {
    let preferences = try ContainerPath("Library/Preferences/com.example.app.plist")
    let file = try ContainerPath("Documents/a")
    let recording = Recording(
      [
        .create(preferences), .write(preferences, .bytes([1]), at: 0, isGrowth: true),
        .create(file), .write(file, .bytes([1]), at: 0, isGrowth: true),
        .create(preferences), .write(preferences, .bytes([1]), at: 0, isGrowth: true),
        .remove(file, isDirectory: false),
      ], treeAfter: FileTree())
    #expect(recording.crashPoints.map(\.pointIndex) == [2, 3, 4, 6])
    #expect(recording.growths.map(\.pointIndex) == [3])
  }

  @Test func `of successive writes to one file, only the first and the last are`() throws {
    let file = try ContainerPath("Documents/a")
    let recording = Recording(
      [.create(file)]
        + (0..<4).map { .write(file, .bytes([1]), at: $0, isGrowth: true) },
      treeAfter: FileTree())
    #expect(recording.crashPoints.map(\.pointIndex) == [0, 1, 4])
    #expect(recording.growths.map(\.pointIndex) == [1, 4])
  }
}
