import BackupFileTree
import CBackupFiles
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer

/// A container is saved, changed and reset.
struct SavedContainerTests {
  private let movie: ContainerPath = "Documents/1.mp4"

  @Test func `going back undoes changes of contents, marks, dates and the path`() throws {
    let container = try FakeContainer(groups: ["group.com.example.app"])
    let shared: ContainerPath = "group.com.example.app:/list"
    try container.apply(.write(movie, .text("old"), method: .inPlace))
    try container.apply(.setMark(.resourceValue, on: movie, to: true))
    try container.apply(.write(shared, .text("list"), method: .inPlace))
    try container.apply(.link("Documents/link", destination: movie))
    let (url, before) = (container.url, try container.scan())
    let saved = try container.save()
    try container.apply(.write(movie, .text("newer"), method: .atomically))
    try container.apply(.remove(shared))
    try container.apply(.createDirectory("Documents/x", intermediates: false))
    try container.moveToNewURL()
    for _ in 0..<2 {
      try container.goBack(to: saved)
      let after = try container.scan()
      #expect(after == before && container.url == url && container.formerURLs.isEmpty)
      #expect(try container.bytes(of: movie) == Array("old".utf8))
      #expect(after[movie]?.observation.modified == before[movie]?.observation.modified)
    }
  }

  @Test func `remaining directories are kept and get their former attributes back`() throws {
    let container = try FakeContainer()
    for path: ContainerPath in ["Documents/kept", "Documents/marked", "Documents/closed"] {
      try container.apply(.createDirectory(path, intermediates: false))
      let file = path.appending(("a" as ContainerPath).name)
      try container.apply(.write(file, .text("old"), method: .inPlace))
    }
    try container.apply(.setMark(.resourceValue, on: "Documents/marked", to: true))
    let folder = container.documents
    let before = try container.scan()
    let keptStatus = try status(of: folder.appending(path: "kept"))
    let saved = try container.save()
    try container.apply(.setMark(.resourceValue, on: "Documents/kept", to: true))
    try container.apply(.setMark(.resourceValue, on: "Documents/marked", to: false))
    try container.apply(.createDirectory("Documents/kept/x/y", intermediates: true))
    try container.apply(.remove("Documents/kept/a"))
    try container.apply(.remove("Documents/marked"))
    try container.apply(.write("Documents/marked", .text("a file"), method: .inPlace))
    #expect(chmod(folder.appending(path: "closed").path, 0) == 0)
    #expect(chmod(folder.appending(path: "kept").path, 0o700) == 0)
    try container.goBack(to: saved)
    #expect(try container.scan() == before)
    #expect(try status(of: folder.appending(path: "kept")).inode == keptStatus.inode)
    #expect(try status(of: folder.appending(path: "kept")).modified == keptStatus.modified)
    #expect(try status(of: folder.appending(path: "kept")).permissions == 0o755)
  }

  @Test func `a directory with an attribute that the app set is replaced`() throws {
    let container = try FakeContainer()
    let saved = try container.save()
    let folder = DiskPath(container.documents)
    try folder.setAttribute("com.example.migrated", to: [1])
    try container.goBack(to: saved)
    #expect(try folder.attribute("com.example.migrated") == nil)
  }

  @Test func `a directory with an attribute that macOS set is not replaced`() throws {
    let container = try FakeContainer()
    let saved = try container.save()
    let before = try status(of: container.documents)
    try DiskPath(container.documents).setAttribute("com.apple.provenance", to: [1])
    try container.goBack(to: saved)
    #expect(try status(of: container.documents).inode == before.inode)
  }

  /// A change of a file that leaves its size and its date of modification.
  enum HiddenChange: CaseIterable {
    case contents, hole, mark, attribute, permissions, secondPath

    func make(in file: URL) throws {
      let status = try #require(try DiskPath(file).status())
      switch self {
      case .contents: try DiskPath(file).write(.bytes(Array("OLD".utf8)), options: 0)
      case .hole: try DiskPath(file).write(.zeros(3), options: O_TRUNC)
      case .mark: try DiskPath(file).setMark(.resourceValue, true)
      case .attribute: try DiskPath(file).setAttribute("com.example.migrated", to: [1])
      case .permissions: try DiskPath(file).setPermissions(0)
      case .secondPath: #expect(link(file.path, file.path + ".link") == 0)
      }
      try DiskPath(file).inDirectory { directory, name throws(SystemError) in
        try directory.setModificationDate(status.modified, of: name)
      }
    }
  }

  @Test(arguments: HiddenChange.allCases)
  func `going back undoes a change that leaves size and date`(_ change: HiddenChange) throws {
    let container = try FakeContainer()
    try container.apply(.write(movie, .text("old"), method: .inPlace))
    let (file, before) = (container.url(of: movie), try container.scan())
    let status = try status(of: file)
    let saved = try container.save()
    try change.make(in: file)
    try container.goBack(to: saved)
    #expect(try container.scan() == before)
    #expect(try container.bytes(of: movie) == Array("old".utf8))
    #expect(try DiskPath(file).attribute("com.example.migrated") == nil)
    #expect(try self.status(of: file).permissions == status.permissions)
    #expect(try self.status(of: file).modified == status.modified)
  }

  @Test func `an unchanged file stays`() throws {
    let container = try FakeContainer()
    try container.apply(.write(movie, .text("old"), method: .inPlace))
    let file = container.url(of: movie)
    let inode = try status(of: file).inode
    let saved = try container.save()
    try container.apply(.write("Documents/2.mp4", .text("new"), method: .inPlace))
    try container.goBack(to: saved)
    #expect(try status(of: file).inode == inode)
  }

  @Test func `a link in the place of the container is replaced`() throws {
    let container = try FakeContainer()
    let before = try container.scan()
    let saved = try container.save()
    try FileManager.default.removeItem(at: container.url)
    try FileManager.default.createSymbolicLink(
      at: container.url, withDestinationURL: container.deviceURL)
    try container.goBack(to: saved)
    #expect(try container.scan() == before)
  }

  private func status(of url: URL) throws -> cfs_status {
    try #require(try DiskPath(url).status())
  }

  @Test func `the saved copy is removed with its last reference`() throws {
    let container = try FakeContainer()
    let archives = container.deviceURL.appendingPathComponent("Archives")
    try container.apply(
      .write(movie, .bytes([UInt8](repeating: 1, count: 100_000)), method: .inPlace))
    var saved: SavedContainer? = try container.save()
    #expect(saved != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: archives.path).count == 1)
    saved = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: archives.path).isEmpty)
  }
}
