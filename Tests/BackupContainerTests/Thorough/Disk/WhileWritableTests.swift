import CBackupFiles
import Foundation
import TestSupport
import Testing

@testable import BackupContainer

/// Calls on items whose permissions forbid them.
///
/// Root may do everything, so these tests throw the errors themselves. `OrdinaryUserTests` causes
/// real errors.
@Suite struct WhileWritableTests {
  private let folder: TestFolder
  /// The item, which its owner may only read.
  private let item: DiskPath

  init() throws {
    folder = try TestFolder()
    try folder.write("text", to: "item", permissions: 0o440)
    item = DiskPath(folder.url("item"))
  }

  /// Returns the item's permissions at each try. The calls fail until the `successfulTry`th try.
  private func tries(
    on path: DiskPath, refusedWith number: Int32 = EACCES, until successfulTry: Int
  ) -> (permissions: [UInt32?], error: SystemError?) {
    var permissions: [UInt32?] = []
    let error = thrownError { () throws(SystemError) in
      try path.whileWritable { found throws(SystemError) in
        permissions.append(try found.status()?.permissions)
        if permissions.count < successfulTry { throw SystemError(number) }
      }
    }
    return (permissions, error)
  }

  @Test(arguments: [EACCES, EPERM])
  func `refused calls are tried again while the owner may write, and leave the permissions`(
    number: Int32
  ) throws {
    let (permissions, error) = tries(on: item, refusedWith: number, until: 2)
    #expect(permissions == [0o440, 0o640] && error == nil)
    #expect(try item.status()?.permissions == 0o440)
  }

  @Test func `permitted calls run once`() throws {
    #expect(tries(on: item, until: 1).permissions == [0o440])
    #expect(try item.status()?.permissions == 0o440)
  }

  @Test func `calls that fail twice throw the error, and leave the permissions`() throws {
    let (permissions, error) = tries(on: item, until: 3)
    #expect(permissions == [0o440, 0o640] && error == SystemError(EACCES))
    #expect(try item.status()?.permissions == 0o440)
  }

  @Test(arguments: [ENOSPC, ENOENT, EROFS])
  func `calls that fail for another reason are not tried again`(number: Int32) throws {
    let (permissions, error) = tries(on: item, refusedWith: number, until: 2)
    #expect(permissions == [0o440] && error == SystemError(number))
  }

  @Test func `calls that fail although the owner may write are not tried again`() throws {
    try folder.write("text", to: "mine", permissions: 0o600)
    let (permissions, error) = tries(on: DiskPath(folder.url("mine")), until: 2)
    #expect(permissions == [0o600] && error == SystemError(EACCES))
  }

  @Test func `calls never widen the permissions of a link's target`() throws {
    let link = DiskPath(folder.url("link"))
    try link.makeLink(to: Array("item".utf8))
    #expect(tries(on: link, until: 2).error == SystemError(EACCES))
    #expect(try item.status()?.permissions == 0o440)
  }

  @Test func `calls on a directory leave its permissions too`() throws {
    try folder.makeFolder("directory")
    let directory = DiskPath(folder.url("directory"))
    try #require(chmod(directory.characters, 0o500) == 0)
    #expect(tries(on: directory, until: 2).permissions == [0o500, 0o700])
    #expect(try directory.status()?.permissions == 0o500)
  }

  @Test func `calls on a missing item throw the error of the first try`() throws {
    let (permissions, error) = tries(on: DiskPath(folder.url("gone")), until: 2)
    #expect(permissions == [nil] && error == SystemError(EACCES))
  }
}
