import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// The folder of a simulated device, which holds a container: its name and its place.
@Suite struct DeviceFolderTests {
  /// The length in bytes of the usual temporary folder's path on a Mac.
  static let macTemporaryPathLength = "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T".utf8.count

  @Test func `a container's path is 50 bytes longer than the folder's`() throws {
    let parent = DeviceFolder.usualParent.path
    let container = try FakeContainer()
    #expect(container.url.path.hasPrefix(parent))
    #expect(container.url.path.utf8.count - parent.utf8.count == 50)
    try container.moveToNewURL()
    #expect(container.url.path.utf8.count - parent.utf8.count == 50)
    #expect(Self.macTemporaryPathLength + 50 <= 99)
  }

  @Test func `an existing folder is left to its owner, and another name is chosen`() throws {
    let folder = try TestFolder()
    let parent = folder.url
    let first = try DeviceFolder.make(in: parent) { "sbt-aaaaaaaa" }
    var names = ["sbt-aaaaaaaa", "sbt-aaaaaaaa", "sbt-bbbbbbbb"]
    let second = try DeviceFolder.make(in: parent) { names.removeFirst() }
    #expect(first.url.lastPathComponent == "sbt-aaaaaaaa")
    #expect(second.url.lastPathComponent == "sbt-bbbbbbbb")
    let error = #expect(throws: SystemError.self) {
      try DeviceFolder.make(in: parent) { "sbt-aaaaaaaa" }
    }
    #expect(error?.number == EEXIST)
  }

  @Test func `a device folder is recognised by its name and by the container in it`() throws {
    let container = try FakeContainer()
    let file = container.documents.appendingPathComponent("a").path
    #expect(DeviceFolder.pathAbove(file).map(String.init) == container.deviceURL.path)
    let id = UUID().uuidString
    #expect(DeviceFolder.pathAbove("/a/sbt-234567ab/\(id)/b") == "/a/sbt-234567ab")
    for path in [
      "/a/sbt-234567ab/b", "/a/sbt-234567ab", "/a/sbt-234567a/\(id)", "/a/sbt-234567abc/\(id)",
      "/a/sbt-234567AB/\(id)", "/a/xbt-234567ab/\(id)", "/a/\(id)/b", "",
    ] {
      #expect(DeviceFolder.pathAbove(path) == nil, "\(path)")
    }
  }

  @Test func `TMPDIR sets the parent folder, on a Mac too`() {
    #expect(DeviceFolder.usualParent(in: ["TMPDIR": "/Volumes/Exact"]).path == "/Volumes/Exact")
    for environment in [[:], ["TMPDIR": ""], ["TMPDIR": "here"]] {
      #expect(
        DeviceFolder.usualParent(in: environment).path
          == FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path)
    }
  }

  /// Makes a folder whose path is `rest` bytes shorter than the system allows.
  private func makeDeepFolder(in folder: TestFolder, leaving rest: Int) throws -> URL {
    var parent = DiskPath(folder.url)
    while case let remainingBytes = Int(PATH_MAX) - rest - parent.byteCount, remainingBytes > 0 {
      parent.append(
        [UInt8](repeating: 0x6E, count: remainingBytes > 202 ? 100 : remainingBytes - 1))
      try parent.makeDirectory()
    }
    let path = parent.characters.dropLast().map(UInt8.init(truncatingIfNeeded:))
    return URL(fileURLWithPath: String(decoding: path, as: UTF8.self), isDirectory: true)
  }

  @Test func `an item whose absolute path is too long for the system is marked and scanned`() throws
  {
    let folder = try TestFolder()
    let container = try FakeContainer(in: makeDeepFolder(in: folder, leaving: 400))
    let name = String(repeating: "d", count: 200)
    let path = try ContainerPath("tmp/\(name)/\(name)")
    try container.apply(.createDirectory(path, intermediates: true))
    try container.apply(.setMark(.resourceValue, on: path, to: true))
    #expect(try container.scan()[path]?.marks == .resourceValue)
    try container.remove()
  }

  @Test func `the error for a folder with too long a path says what to do`() throws {
    let folder = try TestFolder()
    let deepFolder = try makeDeepFolder(in: folder, leaving: 10)
    let error = #expect(throws: RunError.self) { try FakeContainer(in: deepFolder) }
    #expect(error?.description.contains("set TMPDIR to a folder with a shorter path") == true)
  }
}
