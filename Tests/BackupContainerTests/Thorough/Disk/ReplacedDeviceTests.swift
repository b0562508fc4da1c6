import BackupDiagnostics
import BackupFileTree
import CBackupFiles
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer

/// Devices whose folders the app's code has moved, with something else in their place.
@Suite struct ReplacedDeviceTests {
  private let files = FileManager.default
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// A folder of somebody else's, with what is in a device's, and what it holds.
  private func makeVictim(withFolder isFolder: Bool) throws -> URL {
    try folder.makeFolder("victim/Archives")
    if isFolder {
      try folder.makeFolder("victim/clock")
      try folder.write("hours", to: "victim/clock/hours")
    } else {
      try folder.write("hours", to: "victim/clock")
    }
    for name in [
      "marks-on-missing-items", "marks-unavailable", "marks-set", "changes.log", "Archives/0",
    ] {
      try folder.write("text", to: "victim/\(name)")
    }
    return folder.url("victim")
  }

  /// All items of a folder with what they hold, and when they last changed.
  private func look(_ url: URL) throws -> [String: String] {
    let paths = ["."] + (try files.subpathsOfDirectory(atPath: url.path))
    return Dictionary(
      uniqueKeysWithValues: try paths.map { path in
        let item = url.appending(path: path)
        let changed = try DiskPath(item).status()?.changed ?? 0
        let contents = (try? String(contentsOf: item, encoding: .utf8)) ?? "a folder"
        return (path, "\(changed) \(contents)")
      })
  }

  /// A container in a folder of its own, whose device's folder is moved and has a link in its place.
  private func makeReplaced(by victim: URL) throws -> FakeContainer {
    try folder.makeFolder("devices")
    let container = try FakeContainer(in: folder.url("devices"))
    try Data("text".utf8).write(to: container.documents.appending(path: "a"))
    try files.moveItem(at: container.device, to: folder.url("devices/mine"))
    try files.createSymbolicLink(at: container.device, withDestinationURL: victim)
    return container
  }

  @Test func `a link that leads nowhere in the place of a removed folder is said`() throws {
    try folder.makeFolder("devices")
    let container = try FakeContainer(in: folder.url("devices"))
    try files.removeItem(at: container.device)
    try files.createSymbolicLink(
      at: container.device, withDestinationURL: folder.url("missing"))
    #expect(throws: RunError.self) { try container.remove() }
    #expect(try files.contentsOfDirectory(atPath: folder.url("devices").path).isEmpty)
  }

  @Test func `what is printed goes to a file that the kit has made`() throws {
    try folder.makeFolder("devices")
    let container = try FakeContainer(in: folder.url("devices"))
    try folder.write("not the kit's", to: "victim")
    try files.createSymbolicLink(
      at: container.device.appending(path: "output-of-app-1"),
      withDestinationURL: folder.url("victim"))
    try container.openOutput(ofLaunch: 1, of: "app").write(contentsOf: Data("printed".utf8))
    #expect(try String(contentsOf: folder.url("victim"), encoding: .utf8) == "not the kit's")
  }

  @Test(arguments: [false, true])
  func `all goes on in the folder that the kit made, and what a link leads to stays as it was`(
    withFolder isFolder: Bool
  ) throws {
    let victim = try makeVictim(withFolder: isFolder)
    let before = try look(victim)
    let container = try makeReplaced(by: victim)
    let watch = try container.beginWatching(probing: true)
    _ = try container.endWatching(watch)
    try container.limitMarks(to: [], system: "5.0")
    try container.limitMarks(to: .resourceValue, system: "18")
    #expect(throws: SystemError.self) {
      try PathNotes.marksOnMissingItems.add(container.documents.appending(path: "none").path)
    }
    let saved = try container.save()
    try container.apply(.write("Documents/b", .text("more"), method: .atomically))
    try container.goBack(to: saved)
    let archive = try ContainerArchive(of: ["Documents/a"], in: container)
    let tree = try container.scan()
    #expect(tree["Documents/a"]?.size == 4)
    try container.moveToNewURL()
    try container.replaceWithEmptyContainer()
    try container.materialise(tree, contents: archive)
    #expect(try container.scan() == tree)
    #expect(throws: RunError.self) {
      try container.openOutput(ofLaunch: 1, of: "com.example.app")
    }
    #expect(try container.copied().scan() == tree)
    let error = #expect(throws: RunError.self) { try container.remove() }
    #expect(
      error?.description.hasPrefix(
        "\(container.device.path): the app moved or replaced its container or the folder") == true)
    try container.remove()
    #expect(try look(victim) == before)
    #expect(try files.contentsOfDirectory(atPath: folder.url("devices").path).isEmpty)
  }
}
