import BackupFileTree
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer

/// Marks set where nothing is, and paths of former containers.
@Suite struct MissingMarkNotesTests {
  /// Marks what is not there, as code that swallows the error does.
  private func mark(_ url: URL) { try? url.excludeFromBackup() }

  @Test func `a mark on a missing item is noted once, for the look that follows`() throws {
    let container = try FakeContainer()
    mark(container.documents.appendingPathComponent("before"))
    let watch = try container.beginWatching(probing: true)
    mark(container.documents.appendingPathComponent("no such"))
    mark(container.documents.appendingPathComponent("D/é\n"))
    mark(container.library)
    let trace = try container.endWatching(watch)
    #expect(trace.marksOnMissing == ["Documents/no such", "Documents/D/é\n"])
    let next = try container.endWatching(try container.beginWatching(probing: true))
    #expect(next.marksOnMissing.isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: container.device.path)
    #expect(Set(left) == [container.url.lastPathComponent, DeviceFolder.clockName])
  }

  @Test func `each container has notes of its own`() throws {
    let containers = [try FakeContainer(), try FakeContainer()]
    let watches = try containers.map { try $0.beginWatching(probing: false) }
    mark(containers[0].documents.appendingPathComponent("x"))
    #expect(try containers[0].endWatching(watches[0]).marksOnMissing == ["Documents/x"])
    #expect(try containers[1].endWatching(watches[1]).marksOnMissing.isEmpty)
  }

  @Test(arguments: ["sbt-main", "other", "sbt-", "sbt-abcdefgh"])
  func `nothing is noted in a folder that is no container's`(name: String) throws {
    let container = try FakeContainer()
    let folder = container.device.deletingLastPathComponent()
      .appendingPathComponent("\(UUID().uuidString)/\(name)")
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    mark(folder.appendingPathComponent("x"))
    mark(folder.appendingPathComponent("x/y"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a container in a folder that is named like one has its notes`() throws {
    let named = FileManager.default.temporaryDirectory
      .appendingPathComponent(DeviceFolder.makeName())
    let base = named.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: named) }
    try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
    let container = try FakeContainer(in: base)
    let watch = try container.beginWatching(probing: false)
    mark(container.documents.appendingPathComponent("x"))
    #expect(try container.endWatching(watch).marksOnMissing == ["Documents/x"])
  }

  @Test func `what is made at a former path is found and removed`() throws {
    let container = try FakeContainer()
    let former = container.documents
    try container.moveToNewURL()
    let older = container.library
    try container.moveToNewURL()
    let watch = try container.beginWatching(probing: true)
    try FileManager.default.createDirectory(
      at: former.appendingPathComponent("D"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: older, withIntermediateDirectories: true)
    try Data([1]).write(to: older.appendingPathComponent("f"))
    let trace = try container.endWatching(watch)
    #expect(trace.formerPathsUsed == ["Documents/D", "Library/f"])
    #expect(trace.changes.isEmpty)
    for url in container.formerURLs {
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
  }

  @Test func `former paths are told in their order, and nothing else beside them`() throws {
    let container = try FakeContainer()
    var former: [URL] = []
    for _ in 0..<5 {
      former.append(container.url)
      try container.moveToNewURL()
    }
    let stranger = container.device.appendingPathComponent(UUID().uuidString)
    let watch = try container.beginWatching(probing: false)
    for (number, url) in former.enumerated().reversed() where number != 2 {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data().write(to: url.appendingPathComponent("f\(number)"))
    }
    try FileManager.default.createDirectory(at: stranger, withIntermediateDirectories: true)
    let used = try container.endWatching(watch).formerPathsUsed
    #expect(used.map(\.description) == ["f0", "f1", "f3", "f4"])
    #expect(FileManager.default.fileExists(atPath: stranger.path))
    #expect(container.formerContainerPath(of: stranger.path + "/a") == nil)
    #expect(container.formerContainerPath(of: "/private" + former[3].path + "/a/b") == "a/b")
    #expect(container.formerContainerPath(of: former[3].path) == nil)
  }

  @Test func `a mark to be set at a former path is a use of it`() throws {
    let container = try FakeContainer()
    let former = container.documents.appendingPathComponent("a")
    try container.moveToNewURL()
    let watch = try container.beginWatching(probing: true)
    mark(former)
    let trace = try container.endWatching(watch)
    #expect(trace.formerPathsUsed == ["Documents/a"])
    #expect(trace.marksOnMissing.isEmpty)
  }

  @Test func `absolute paths are told apart`() throws {
    let container = try FakeContainer()
    let old = container.url.path
    try container.moveToNewURL()
    #expect(container.containerPath(of: container.url.path + "/a/b") == "a/b")
    #expect(container.containerPath(of: "/private" + container.url.path + "/a") == "a")
    #expect(container.containerPath(of: container.url.path) == nil)
    #expect(container.containerPath(of: container.url.path + "2/a") == nil)
    #expect(container.containerPath(of: old + "/a") == nil)
    #expect(container.formerContainerPath(of: old + "/a") == "a")
    #expect(container.formerContainerPath(of: container.url.path + "/a") == nil)
  }

  @Test func `a mark that cannot be noted is an error of the call`() throws {
    let container = try FakeContainer()
    for name in ["marks-set", "marks-on-missing-items"] {
      try FileManager.default.createDirectory(
        at: container.device.appendingPathComponent(name), withIntermediateDirectories: false)
    }
    for path in ["", "no such"] {
      let error = #expect(throws: CocoaError.self) {
        try container.documents.appendingPathComponent(path).excludeFromBackup()
      }
      #expect((error?.underlying as? NSError)?.code == Int(EISDIR))
    }
  }
}
