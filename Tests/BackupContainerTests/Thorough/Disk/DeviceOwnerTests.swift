import CBackupFiles
import CBackupProcess
import Foundation
import TestSupport
import Testing

@testable import BackupContainer

/// Folders of devices whose processes have ended, or not.
@Suite struct DeviceOwnerTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// An owner with this process's id that began at another time, and so is none any more.
  private func ended(_ owner: ProcessIdentity) -> ProcessIdentity {
    ProcessIdentity(process: owner.process, begin: owner.begin + 1, namespace: owner.namespace)
  }

  /// The names in the folder.
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// Makes a device with a file in it that belongs to an owner.
  private func makeDevice(_ name: String, of owner: ProcessIdentity?) throws -> DeviceFolder {
    try folder.makeFolder("\(name)/inside")
    try folder.write("text", to: "\(name)/inside/file")
    let device = try DeviceFolder(at: folder.url(name))
    if let owner { try device.sign(as: owner) }
    return device
  }

  @Test func `this process has not ended, and its containers say that they are its`() throws {
    let own = try #require(ProcessIdentity.own)
    #expect(!own.hasEnded)
    let container = try FakeContainer(in: folder.url)
    #expect(try container.folder.signature?.owner == own)
  }

  @Test func `a process of the same id that began at another time has ended`() throws {
    #expect(ended(try #require(ProcessIdentity.own)).hasEnded)
  }

  @Test func `what a killed process left is removed, and nothing else`() throws {
    let own = try #require(ProcessIdentity.own)
    _ = try makeDevice("sbt-aaaaaaaa", of: ended(own))
    _ = try makeDevice("sbt-bbbbbbbb", of: own)
    _ = try makeDevice("sbt-cccccccc", of: nil)
    _ = try makeDevice("sbt-dddd", of: nil)
    let elsewhere = ProcessIdentity(
      process: own.process, begin: own.begin + 1, namespace: own.namespace + 1)
    _ = try makeDevice("sbt-eeeeeeee", of: elsewhere)
    DeviceFolder.sweep(folder.url)
    #expect(
      try names() == ["sbt-bbbbbbbb", "sbt-cccccccc", "sbt-dddd", "sbt-eeeeeeee"])
  }

  @Test func `a folder of a process that was killed before it signed is removed once it is old`()
    throws
  {
    for name in ["sbt-aaaaaaaa", "sbt-bbbbbbbb"] { try folder.makeFolder(name) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)],
      ofItemAtPath: folder.url("sbt-aaaaaaaa").path)
    DeviceFolder.sweep(folder.url)
    #expect(try folder.names() == ["sbt-bbbbbbbb"])
  }

  @Test func `the first container in a folder sweeps it`() throws {
    _ = try makeDevice("sbt-aaaaaaaa", of: ended(try #require(ProcessIdentity.own)))
    let container = try FakeContainer(in: folder.url)
    #expect(try names() == [container.device.lastPathComponent])
  }

  @Test func `a container that is kept is nobody's to remove`() throws {
    let container = try FakeContainer(in: folder.url)
    container.keep()
    #expect(try container.folder.signature == nil)
  }

  @Test(
    arguments: [
      "", "1-2-3", "1-2-3 # sbt-aaaaaaaa more", "1-2-3-4 # sbt-aaaaaaaa", "0-2-3 # sbt-aaaaaaaa",
      "01-2-3 # sbt-aaaaaaaa", "A-2-3 # sbt-aaaaaaaa", "1-2-3 # mine", "1-2-3 x sbt-aaaaaaaa",
      "1-2-3 0 sbt-aaaaaaaa",
    ])
  func `a signature that says nothing is none`(_ text: String) throws {
    let device = try makeDevice("sbt-aaaaaaaa", of: nil)
    func sign(_ text: String) throws {
      let inode = try #require(try device.itself.status()).inode
      let text = text.replacing("#", with: "\(inode)")
      try device.itself.setAttribute("swift-backup-testing.owner", to: Array(text.utf8))
    }
    try sign(text)
    #expect(try device.signature == nil)
    try sign("1-2-3 # sbt-aaaaaaaa")
    #expect(try device.signature?.owner.process == 1)
  }

  @Test func `a folder that the app has given another name is removed too, and a copy is not`()
    throws
  {
    let own = try #require(ProcessIdentity.own)
    let device = try makeDevice("sbt-aaaaaaaa", of: ended(own))
    try FileManager.default.moveItem(at: device.url, to: folder.url("mine"))
    let copy = try makeDevice("copy", of: nil)
    let signature = try #require(try device.itself.attribute("swift-backup-testing.owner"))
    try copy.itself.setAttribute("swift-backup-testing.owner", to: signature)
    DeviceFolder.sweep(folder.url)
    #expect(try names() == ["copy"])
  }
}
