import BackupFileTree
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer

/// The kit notes marks that are set on missing items, and uses of the paths of former containers.
@Suite struct MissingMarkNotesTests {
  /// Marks an item and ignores the error, as some apps do.
  private func mark(_ url: URL) { try? url.excludeFromBackup() }

  @Test func `a mark on a missing item is noted once, for the next trace`() throws {
    let container = try FakeContainer()
    mark(container.documents.appendingPathComponent("before"))
    let watch = try container.beginWatching(probing: true)
    mark(container.documents.appendingPathComponent("no such"))
    mark(container.documents.appendingPathComponent("D/é\n"))
    mark(container.library)
    let trace = try container.endWatching(watch)
    #expect(trace.markedMissingItems == ["Documents/no such", "Documents/D/é\n"])
    let nextTrace = try container.endWatching(try container.beginWatching(probing: true))
    #expect(nextTrace.markedMissingItems.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: container.deviceURL.path)
    #expect(Set(names) == [container.url.lastPathComponent, DeviceFolder.clockFileName])
  }

  @Test func `each container has notes of its own`() throws {
    let containers = [try FakeContainer(), try FakeContainer()]
    let watches = try containers.map { try $0.beginWatching(probing: false) }
    mark(containers[0].documents.appendingPathComponent("x"))
    #expect(try containers[0].endWatching(watches[0]).markedMissingItems == ["Documents/x"])
    #expect(try containers[1].endWatching(watches[1]).markedMissingItems.isEmpty)
  }

  @Test(arguments: ["sbt-main", "other", "sbt-", "sbt-abcdefgh"])
  func `nothing is noted in a folder that is no container's`(name: String) throws {
    let container = try FakeContainer()
    let folder = container.deviceURL.deletingLastPathComponent()
      .appendingPathComponent("\(UUID().uuidString)/\(name)")
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    mark(folder.appendingPathComponent("x"))
    mark(folder.appendingPathComponent("x/y"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a container in a folder named like a device's folder has its notes`() throws {
    let deviceLikeFolder = FileManager.default.temporaryDirectory
      .appendingPathComponent(DeviceFolder.makeName())
    let parent = deviceLikeFolder.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: deviceLikeFolder) }
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    let container = try FakeContainer(in: parent)
    let watch = try container.beginWatching(probing: false)
    mark(container.documents.appendingPathComponent("x"))
    #expect(try container.endWatching(watch).markedMissingItems == ["Documents/x"])
  }

  @Test func `an item created at a former path is found and removed`() throws {
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
    #expect(trace.usedFormerPaths == ["Documents/D", "Library/f"])
    #expect(trace.changes.isEmpty)
    for url in container.formerURLs {
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
  }

  @Test func `former paths are reported in order, and other folders are ignored`() throws {
    let container = try FakeContainer()
    var former: [URL] = []
    for _ in 0..<5 {
      former.append(container.url)
      try container.moveToNewURL()
    }
    let otherFolder = container.deviceURL.appendingPathComponent(UUID().uuidString)
    let watch = try container.beginWatching(probing: false)
    for (number, url) in former.enumerated().reversed() where number != 2 {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data().write(to: url.appendingPathComponent("f\(number)"))
    }
    try FileManager.default.createDirectory(at: otherFolder, withIntermediateDirectories: true)
    let used = try container.endWatching(watch).usedFormerPaths
    #expect(used.map(\.description) == ["f0", "f1", "f3", "f4"])
    #expect(FileManager.default.fileExists(atPath: otherFolder.path))
    #expect(container.formerContainerPath(of: otherFolder.path + "/a") == nil)
    #expect(container.formerContainerPath(of: "/private" + former[3].path + "/a/b") == "a/b")
    #expect(container.formerContainerPath(of: former[3].path) == nil)
  }

  @Test func `setting a mark at a former path counts as a use of the path`() throws {
    let container = try FakeContainer()
    let former = container.documents.appendingPathComponent("a")
    try container.moveToNewURL()
    let watch = try container.beginWatching(probing: true)
    mark(former)
    let trace = try container.endWatching(watch)
    #expect(trace.usedFormerPaths == ["Documents/a"])
    #expect(trace.markedMissingItems.isEmpty)
  }

  @Test func `current and former absolute paths are distinguished`() throws {
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

  @Test func `the call that sets a mark throws an error if the kit cannot note the mark`() throws {
    let container = try FakeContainer()
    for name in ["marks-set", "marks-on-missing-items"] {
      try FileManager.default.createDirectory(
        at: container.deviceURL.appendingPathComponent(name), withIntermediateDirectories: false)
    }
    for path in ["", "no such"] {
      let error = #expect(throws: CocoaError.self) {
        try container.documents.appendingPathComponent(path).excludeFromBackup()
      }
      #expect((error?.underlying as? NSError)?.code == Int(EISDIR))
    }
  }
}
