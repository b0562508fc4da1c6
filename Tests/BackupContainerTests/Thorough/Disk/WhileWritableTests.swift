import CBackupFiles
import Foundation
import TestSupport
import Testing

@testable import BackupContainer

/// Calls on items whose permissions forbid them.
///
/// Root may do everything, so the refusals are made up here; `OrdinaryUserTests` has real ones.
@Suite struct WhileWritableTests {
  /// A folder with the item.
  private let folder: TestFolder
  /// The item, which its owner may only read.
  private let item: DiskPath

  init() throws {
    folder = try TestFolder()
    try folder.write("text", to: "item", permissions: 0o440)
    item = DiskPath(folder.url("item"))
  }

  /// The permissions that each try finds, where all but those from the `success`th on are refused.
  private func tries(
    on path: DiskPath, refusedWith number: Int32 = EACCES, until success: Int
  ) -> (permissions: [UInt32?], error: SystemError?) {
    var permissions: [UInt32?] = []
    let error = thrownError { () throws(SystemError) in
      try path.whileWritable { found throws(SystemError) in
        permissions.append(try found.status()?.permissions)
        if permissions.count < success { throw SystemError(number) }
      }
    }
    return (permissions, error)
  }

  @Test(arguments: [EACCES, EPERM])
  func `are tried again while the owner may write, and leave the permissions`(
    number: Int32
  ) throws {
    let (permissions, error) = tries(on: item, refusedWith: number, until: 2)
    #expect(permissions == [0o440, 0o640] && error == nil)
    #expect(try item.status()?.permissions == 0o440)
  }

  @Test func `are done once where nothing forbids them`() throws {
    #expect(tries(on: item, until: 1).permissions == [0o440])
    #expect(try item.status()?.permissions == 0o440)
  }

  @Test func `that fail again say so, and leave the permissions`() throws {
    let (permissions, error) = tries(on: item, until: 3)
    #expect(permissions == [0o440, 0o640] && error == SystemError(EACCES))
    #expect(try item.status()?.permissions == 0o440)
  }

  @Test(arguments: [ENOSPC, ENOENT, EROFS])
  func `that fail for another reason are not tried again`(number: Int32) throws {
    let (permissions, error) = tries(on: item, refusedWith: number, until: 2)
    #expect(permissions == [0o440] && error == SystemError(number))
  }

  @Test func `that fail where the owner may write are not tried again`() throws {
    try folder.write("text", to: "mine", permissions: 0o600)
    let (permissions, error) = tries(on: DiskPath(folder.url("mine")), until: 2)
    #expect(permissions == [0o600] && error == SystemError(EACCES))
  }

  @Test func `never widen what a link leads to`() throws {
    let link = DiskPath(folder.url("link"))
    try link.makeLink(to: Array("item".utf8))
    #expect(tries(on: link, until: 2).error == SystemError(EACCES))
    #expect(try item.status()?.permissions == 0o440)
  }

  @Test func `on a directory leave it as it was too`() throws {
    try folder.makeFolder("directory")
    let directory = DiskPath(folder.url("directory"))
    try #require(chmod(directory.characters, 0o500) == 0)
    #expect(tries(on: directory, until: 2).permissions == [0o500, 0o700])
    #expect(try directory.status()?.permissions == 0o500)
  }

  @Test func `on what is gone meanwhile fail as they did`() throws {
    let (permissions, error) = tries(on: DiskPath(folder.url("gone")), until: 2)
    #expect(permissions == [nil] && error == SystemError(EACCES))
  }
}
