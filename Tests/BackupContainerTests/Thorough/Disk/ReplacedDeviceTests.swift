import BackupDiagnostics
import BackupFileTree
import CBackupFiles
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer

/// App code has moved the folder of a device and put a link in its place.
@Suite struct ReplacedDeviceTests {
  private let files = FileManager.default
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// Makes a folder with the same names as in a device's folder, which does not belong to the kit.
  private func makeVictim(withFolder clockIsFolder: Bool) throws -> URL {
    try folder.makeFolder("victim/Archives")
    if clockIsFolder {
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

  /// Returns the contents of each item in a folder, with the date of its last change.
  private func contentsAndDates(_ url: URL) throws -> [String: String] {
    let paths = ["."] + (try files.subpathsOfDirectory(atPath: url.path))
    return Dictionary(
      uniqueKeysWithValues: try paths.map { path in
        let item = url.appending(path: path)
        let changed = try DiskPath(item).status()?.changed ?? 0
        let contents = (try? String(contentsOf: item, encoding: .utf8)) ?? "a folder"
        return (path, "\(changed) \(contents)")
      })
  }

  /// Makes a container, moves the folder of its device, and puts a link to `victim` in its place.
  private func makeReplacedContainer(by victim: URL) throws -> FakeContainer {
    try folder.makeFolder("devices")
    let container = try FakeContainer(in: folder.url("devices"))
    try Data("text".utf8).write(to: container.documents.appending(path: "a"))
    try files.moveItem(at: container.deviceURL, to: folder.url("devices/mine"))
    try files.createSymbolicLink(at: container.deviceURL, withDestinationURL: victim)
    return container
  }

  @Test func `a broken link in the place of a removed folder is an error`() throws {
    try folder.makeFolder("devices")
    let container = try FakeContainer(in: folder.url("devices"))
    try files.removeItem(at: container.deviceURL)
    try files.createSymbolicLink(
      at: container.deviceURL, withDestinationURL: folder.url("missing"))
    #expect(throws: RunError.self) { try container.remove() }
    #expect(try files.contentsOfDirectory(atPath: folder.url("devices").path).isEmpty)
  }

  @Test func `the app's output goes to a file that the kit has made, not through a link`() throws {
    try folder.makeFolder("devices")
    let container = try FakeContainer(in: folder.url("devices"))
    try folder.write("not the kit's", to: "victim")
    try files.createSymbolicLink(
      at: container.deviceURL.appending(path: "output-of-app-1"),
      withDestinationURL: folder.url("victim"))
    try container.openOutput(ofLaunch: 1, of: "app").write(contentsOf: Data("printed".utf8))
    #expect(try String(contentsOf: folder.url("victim"), encoding: .utf8) == "not the kit's")
  }

  @Test(arguments: [false, true])
  func `the kit keeps working in the moved folder, and the link's target stays unchanged`(
    withFolder clockIsFolder: Bool
  ) throws {
    let victim = try makeVictim(withFolder: clockIsFolder)
    let before = try contentsAndDates(victim)
    let container = try makeReplacedContainer(by: victim)
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
        "\(container.deviceURL.path): the app moved or replaced its container or the folder")
        == true)
    try container.remove()
    #expect(try contentsAndDates(victim) == before)
    #expect(try files.contentsOfDirectory(atPath: folder.url("devices").path).isEmpty)
  }
}
