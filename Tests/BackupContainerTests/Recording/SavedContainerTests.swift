import BackupFileTree
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer

/// A container that is kept, and set back.
struct SavedContainerTests {
  /// A movie.
  private let movie: ContainerPath = "Documents/1.mp4"

  @Test func `what was done since is undone: contents, marks, dates and the path`() throws {
    let container = try FakeContainer(groups: ["group.com.example.app"])
    let shared: ContainerPath = "group.com.example.app:/list"
    try container.perform(.write(movie, .text("old"), method: .inPlace))
    try container.perform(.setMark(.resourceValue, on: movie, to: true))
    try container.perform(.write(shared, .text("list"), method: .inPlace))
    try container.perform(.link("Documents/link", destination: movie))
    let (url, before) = (container.url, try container.scan())
    let saved = try container.save()
    try container.perform(.write(movie, .text("newer"), method: .atomically))
    try container.perform(.remove(shared))
    try container.perform(.createDirectory("Documents/x", intermediates: false))
    try container.moveToNewURL()
    for _ in 0..<2 {
      try container.goBack(to: saved)
      let after = try container.scan()
      #expect(after == before && container.url == url && container.formerURLs.isEmpty)
      #expect(try container.bytes(of: movie) == Array("old".utf8))
      #expect(after[movie]?.observation.modified == before[movie]?.observation.modified)
    }
  }

  @Test func `the copy goes with its last reference`() throws {
    let container = try FakeContainer()
    let archives = container.device.appendingPathComponent("Archives")
    var saved: SavedContainer? = try container.save()
    #expect(saved != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: archives.path).count == 1)
    saved = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: archives.path).isEmpty)
  }
}
