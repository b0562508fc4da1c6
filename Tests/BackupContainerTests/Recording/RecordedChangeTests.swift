import BackupDiagnostics
import BackupFileTree
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer

/// What is made of what processes have noted, which may be anything.
struct RecordedChangeTests {
  /// A container whose processes note what they change.
  private let container: FakeContainer
  private let log: URL

  init() throws {
    container = try FakeContainer()
    container.tapProcesses(by: TapLibrary(path: "/lib/tap.so", isLinked: false))
    container.recordChanges()
    log = container.device.appendingPathComponent("changes.log")
  }

  /// A record of a file in Documents.
  private func record(
    _ kind: TapRecord.Kind, offset: Int64 = 0, argument: Int64 = 0, in folder: String = "Documents"
  ) -> TapRecord {
    TapRecord(
      kind: kind, process: 1, number: 1, path: container.url.path + "/\(folder)/a", other: "",
      offset: offset, argument: argument, data: [])
  }

  @Test(arguments: [[Int64.max, .max], [0, .max], [8_000_000_000_001, 0]])
  func `numbers that no file has are nothing that anybody can follow`(
    numbers: [Int64]
  ) throws {
    for kind in [TapRecord.Kind.write, .allocate, .truncate] {
      let change = RecordedChange(
        record(kind, offset: numbers[0], argument: numbers[1]), container.containerPath)
      #expect(change == .unseen("Documents/a"))
    }
  }

  @Test func `what is outside of the container is left out`() {
    #expect(RecordedChange(record(.create, in: ".."), container.containerPath) == nil)
    #expect(RecordedChange(record(.create), { _ in nil }) == nil)
  }

  @Test func `notes that are none are an error, and those of a step are read once`() throws {
    try Data("nonsense".utf8).write(to: log)
    #expect(throws: RunError.self) { try container.takeRecordedChanges() }
    #expect(try container.takeRecordedChanges().isEmpty)
  }

  @Test func `more notes than anybody reads are nothing that anybody can follow`() throws {
    try Data().write(to: log)
    let file = try FileHandle(forWritingTo: log)
    try file.truncate(atOffset: 1 << 30)
    try file.close()
    #expect(try container.takeRecordedChanges() == [.unseen(nil)])
  }

  @Test func `a change is done again through no link`() throws {
    let outside = container.device.appendingPathComponent("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: container.documents.appendingPathComponent("link"), withDestinationURL: outside)
    #expect(throws: RunError.self) {
      try container.replay([.create("Documents/link/a")])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
  }

  @Test func `zeros within a file and behind its end are zeros`() throws {
    let path: ContainerPath = "Documents/a"
    try container.replay([
      .create(path), .write(path, .text("abcdef"), at: 0), .write(path, .zeros(2), at: 1),
      .write(path, .zeros(3), at: 5), .resize(path, to: 7),
    ])
    #expect(try container.bytes(of: path) == Array("a".utf8) + [0, 0] + Array("de".utf8) + [0, 0])
  }
}
