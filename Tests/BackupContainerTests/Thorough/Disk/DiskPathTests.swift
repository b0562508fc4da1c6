import BackupFileTree
import CBackupFiles
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer

/// Calls do not follow links that app code has put in the place of directories.
@Suite struct DiskPathTests {
  private let container: FakeContainer
  /// A folder outside of the container, to which a link leads.
  private let outside: TestFolder

  init() throws {
    container = try FakeContainer()
    outside = try TestFolder()
    try outside.write("theirs", to: "file", permissions: 0o640)
    let link = container.url(of: "Documents/link")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: URL(fileURLWithPath: outside.path))
  }

  /// The path of an item behind the link.
  private var item: DiskPath { DiskPath("Documents/link/file", in: container.roots) }

  @Test func `nothing is looked up behind a link`() throws {
    #expect(try item.status() == nil)
    #expect(throws: SystemError(ENOTDIR)) { try item.attribute("a") }
  }

  /// A call that changes an item.
  enum Call: CaseIterable {
    case setPermissions, setSize, unlink, write, replace, mark, makeLink, rename

    func run(on item: DiskPath) throws(SystemError) {
      switch self {
      case .setPermissions: try item.setPermissions(0o777)
      case .setSize: try item.setSize(0)
      case .unlink: try item.unlinkFile()
      case .write: try item.write(.bytes([1]), options: O_TRUNC)
      case .replace: try item.replace(with: .bytes([1]), permissions: nil)
      case .mark: try item.setMark(.resourceValue, true)
      case .makeLink: try item.makeLink(to: [0x61])
      case .rename: try item.rename(to: item)
      }
    }
  }

  @Test(arguments: Call.allCases)
  func `nothing behind a link is touched`(_ call: Call) throws {
    let error = thrownError { () throws(SystemError) in try call.run(on: item) }
    #expect(error == SystemError(ENOTDIR))
    #expect(try outside.text(of: "file") == "theirs")
    #expect(try DiskPath(outside.url("file")).status()?.permissions == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["file"])
  }

  @Test func `the permissions of a link's target stay`() throws {
    let link = DiskPath(container.url(of: "tmp/l"))
    try link.makeLink(to: Array(outside.url("file").path.utf8))
    // Linux refuses the call. On Darwin, links have permissions of their own.
    _ = thrownError { () throws(SystemError) in try link.setPermissions(0o777) }
    #expect(try DiskPath(outside.url("file")).status()?.permissions == 0o640)
  }

  @Test func `removing a directory leaves what its links lead to`() throws {
    try DiskPath(container.url(of: "Documents")).removeItem()
    #expect(try outside.text(of: "file") == "theirs")
    #expect(try DiskPath(container.url(of: "Documents")).status() == nil)
  }

  @Test func `a failed replacement leaves no temporary file`() throws {
    let directory = container.url(of: "Documents/D")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    #expect(throws: SystemError(EISDIR)) {
      try DiskPath(directory).replace(with: .bytes([1]), permissions: nil)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: container.documents.path).sorted()
        == ["D", "link"])
  }

  @Test func `only the current user may access a container`() throws {
    #expect(try DiskPath(container.deviceURL).status()?.permissions == 0o700)
  }

  @Test(arguments: ["file:", "file:///", "file:no-such-item", "file:///no/such/item"])
  func `a URL without an item is an error`(_ text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: (any Error).self) { try url.hasBackupExclusionMark }
  }
}
