import BackupDiagnostics
import BackupFileTree
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer

/// The kit reads the log in which processes note their changes. The log may hold anything.
struct ContainerRecordingTests {
  /// A container whose processes note their changes in `log`.
  private let container: FakeContainer
  private let log: URL

  init() throws {
    container = try FakeContainer()
    container.tapProcesses(by: TapLibrary(path: "/lib/tap.so", isLinked: false))
    container.recordChanges()
    log = container.deviceURL.appendingPathComponent("changes.log")
  }

  @Test func `a malformed log is an error, and each log is read only once`() throws {
    try Data("nonsense".utf8).write(to: log)
    #expect(throws: RunError.self) { try container.takeChanges() }
    #expect(try container.takeChanges().isEmpty)
  }

  @Test func `a log that is too large makes the changes unseen`() throws {
    try Data().write(to: log)
    let file = try FileHandle(forWritingTo: log)
    try file.truncate(atOffset: 1 << 30)
    try file.close()
    #expect(try container.takeChanges().contains(.unseen("Documents")))
  }

  @Test func `replaying a change follows no link`() throws {
    let outside = container.deviceURL.appendingPathComponent("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: container.documents.appendingPathComponent("link"), withDestinationURL: outside)
    #expect(throws: RunError.self) {
      try container.replay([.create("Documents/link/a")])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
  }

  @Test func `zeros are replayed within a file and beyond its end`() throws {
    let path: ContainerPath = "Documents/a"
    try container.replay([
      .create(path), .write(path, .text("abcdef"), at: 0), .write(path, .zeros(2), at: 1),
      .write(path, .zeros(3), at: 5), .resize(path, to: 7),
    ])
    #expect(try container.bytes(of: path) == Array("a".utf8) + [0, 0] + Array("de".utf8) + [0, 0])
  }
}
