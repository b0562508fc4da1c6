import CBackupFiles
import Foundation
import TestSupport
import Testing

@testable import BackupContainer

/// What is known of marks that Foundation sets.
@Suite struct FoundationMarksTests {
  @Test
  func `without a shim they are stored where the platform does, and the trial leaves nothing`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(FoundationMarks.tryOut(in: folder) == (cea_foundation_stores_marks() != 0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    #expect(FoundationMarks.appShim == .absent)
  }

  @Test func `the trial of an app's process is beside its container, and not in it`() throws {
    let container = try FakeContainer()
    let place = FoundationMarks.place(for: container.temporary)
    #expect(place.path == container.device.path)
    _ = FoundationMarks.tryOut(in: place)
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
    #expect(names.allSatisfy { !$0.hasPrefix("sbt-") })
    #expect(FoundationMarks.place(for: URL(fileURLWithPath: "/tmp")).path == "/tmp")
  }

  @Test func `a getter that says true of every item is found out`() throws {
    let folder = try TestFolder()
    var trial = FoundationTrial()
    trial.read = { _ in true }
    trial.set = { try $0.excludeFromBackup() }
    let found = trial.peculiarities(in: folder.url)
    #expect(found == [.saysUnmarkedIsExcluded(folder: folder.path)])
    #expect(try folder.names().isEmpty)
  }

  @Test func `a setter that leaves a present mark is found out`() throws {
    let folder = try TestFolder()
    var trial = FoundationTrial()
    trial.read = { _ in false }
    trial.set = { if try !$0.hasBackupExclusionMark { try $0.excludeFromBackup() } }
    #expect(trial.peculiarities(in: folder.url) == [.leavesPresentMark])
  }

  @Test func `a getter and a setter like a device's have nothing peculiar`() throws {
    let folder = try TestFolder()
    var trial = FoundationTrial()
    trial.read = { try $0.hasBackupExclusionMark }
    trial.set = { try $0.excludeFromBackup() }
    #expect(trial.peculiarities(in: folder.url).isEmpty)
  }

  @Test func `where no folder can be made none is stored`() {
    #expect(!FoundationMarks.tryOut(in: URL(fileURLWithPath: "/nowhere/at/all")))
  }
}
