import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupFileTree

/// An item that two backups leave out is no difference, whatever happened to it in between.
@Suite(.container) struct LeftOutItemTests {
  @Test func `a file that grows outside of backups is no difference`() throws {
    let container = try FakeContainer.current
    let poster = container.caches.appendingPathComponent("1.jpg")
    try Data(count: 1).write(to: poster)
    let first = try container.backUp()
    try Data(count: 2).write(to: poster)
    let second = try container.backUp()
    #expect(second.differences(from: first).isEmpty)
    #expect(second == first)
  }

  @Test func `a file that is left out for another reason is a difference`() throws {
    let container = try FakeContainer.current
    let folder = container.documents.appendingPathComponent("Movies")
    let movie = folder.appendingPathComponent("1.mp4")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data(count: 1).write(to: movie)
    try movie.excludeFromBackup()
    let first = try container.backUp()
    try folder.excludeFromBackup()
    let second = try container.backUp()
    let paths = second.differences(from: first).map(\.path.string)
    #expect(paths == ["Documents/Movies", "Documents/Movies/1.mp4"])
    #expect(second != first)
  }
}
