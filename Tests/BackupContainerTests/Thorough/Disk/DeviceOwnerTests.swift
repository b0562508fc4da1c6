import CBackupFiles
import CBackupProcess
import Foundation
import TestSupport
import Testing

@testable import BackupContainer

/// The folder of a device is removed by a later process if its own process has ended.
@Suite struct DeviceOwnerTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// Returns a process with the same id that began at another time, and so has ended.
  private func endedProcess(_ owner: ProcessIdentity) -> ProcessIdentity {
    ProcessIdentity(
      processID: owner.processID, startTime: owner.startTime + 1, namespace: owner.namespace)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// Makes the folder of a device with a file in it. The folder is signed if it has an owner.
  private func makeDevice(_ name: String, of owner: ProcessIdentity?) throws -> DeviceFolder {
    try folder.makeFolder("\(name)/inside")
    try folder.write("text", to: "\(name)/inside/file")
    let device = try DeviceFolder(at: folder.url(name))
    if let owner { try device.sign(as: owner) }
    return device
  }

  @Test func `this process has not ended, and has signed its containers`() throws {
    let ownProcess = try #require(ProcessIdentity.own)
    #expect(!ownProcess.hasEnded)
    let container = try FakeContainer(in: folder.url)
    #expect(try container.deviceFolder.signature?.owner == ownProcess)
  }

  @Test func `a process of the same id that began at another time has ended`() throws {
    #expect(endedProcess(try #require(ProcessIdentity.own)).hasEnded)
  }

  @Test func `the folders of a killed process are removed, and nothing else`() throws {
    let ownProcess = try #require(ProcessIdentity.own)
    _ = try makeDevice("sbt-aaaaaaaa", of: endedProcess(ownProcess))
    _ = try makeDevice("sbt-bbbbbbbb", of: ownProcess)
    _ = try makeDevice("sbt-cccccccc", of: nil)
    _ = try makeDevice("sbt-dddd", of: nil)
    let processInOtherNamespace = ProcessIdentity(
      processID: ownProcess.processID, startTime: ownProcess.startTime + 1,
      namespace: ownProcess.namespace + 1)
    _ = try makeDevice("sbt-eeeeeeee", of: processInOtherNamespace)
    DeviceFolder.sweep(folder.url)
    #expect(
      try names() == ["sbt-bbbbbbbb", "sbt-cccccccc", "sbt-dddd", "sbt-eeeeeeee"])
  }

  @Test func `an empty folder without a signature is removed once it is old`()
    throws
  {
    for name in ["sbt-aaaaaaaa", "sbt-bbbbbbbb"] { try folder.makeFolder(name) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)],
      ofItemAtPath: folder.url("sbt-aaaaaaaa").path)
    DeviceFolder.sweep(folder.url)
    #expect(try folder.names() == ["sbt-bbbbbbbb"])
  }

  @Test func `the first container in a folder removes the folders of ended processes`() throws {
    _ = try makeDevice("sbt-aaaaaaaa", of: endedProcess(try #require(ProcessIdentity.own)))
    let container = try FakeContainer(in: folder.url)
    #expect(try names() == [container.deviceURL.lastPathComponent])
  }

  @Test func `a kept container has no signature, so that no process removes it`() throws {
    let container = try FakeContainer(in: folder.url)
    container.keep()
    #expect(try container.deviceFolder.signature == nil)
  }

  @Test(
    arguments: [
      "", "1-2-3", "1-2-3 # sbt-aaaaaaaa more", "1-2-3-4 # sbt-aaaaaaaa", "0-2-3 # sbt-aaaaaaaa",
      "01-2-3 # sbt-aaaaaaaa", "A-2-3 # sbt-aaaaaaaa", "1-2-3 # mine", "1-2-3 x sbt-aaaaaaaa",
      "1-2-3 0 sbt-aaaaaaaa",
    ])
  func `a malformed signature is ignored`(_ text: String) throws {
    let device = try makeDevice("sbt-aaaaaaaa", of: nil)
    func sign(_ text: String) throws {
      let inode = try #require(try device.ownPath.status()).inode
      let text = text.replacing("#", with: "\(inode)")
      try device.ownPath.setAttribute("swift-backup-testing.owner", to: Array(text.utf8))
    }
    try sign(text)
    #expect(try device.signature == nil)
    try sign("1-2-3 # sbt-aaaaaaaa")
    #expect(try device.signature?.owner.processID == 1)
  }

  @Test func `a renamed folder of an ended process is removed, and a copy of it is not`()
    throws
  {
    let ownProcess = try #require(ProcessIdentity.own)
    let device = try makeDevice("sbt-aaaaaaaa", of: endedProcess(ownProcess))
    try FileManager.default.moveItem(at: device.url, to: folder.url("mine"))
    let copy = try makeDevice("copy", of: nil)
    let signature = try #require(try device.ownPath.attribute("swift-backup-testing.owner"))
    try copy.ownPath.setAttribute("swift-backup-testing.owner", to: signature)
    DeviceFolder.sweep(folder.url)
    #expect(try names() == ["copy"])
  }
}
