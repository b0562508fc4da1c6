import Foundation
import TestSupport
import Testing

@testable import BackupContainer

/// A trial finds out how a Mac's Foundation treats marks differently from a device.
@Suite struct FoundationTrialTests {
  @Test func `a getter that returns true for every item is found`() throws {
    let folder = try TestFolder()
    var trial = FoundationTrial()
    trial.readMark = { _ in true }
    trial.setMark = { try $0.excludeFromBackup() }
    let found = trial.peculiarities(in: folder.url)
    #expect(found == [.saysUnmarkedIsExcluded(folder: folder.path)])
    #expect(try folder.names().isEmpty)
  }

  @Test func `a setter that does not set an existing mark again is found`() throws {
    let folder = try TestFolder()
    var trial = FoundationTrial()
    trial.readMark = { _ in false }
    trial.setMark = { if try !$0.hasBackupExclusionMark { try $0.excludeFromBackup() } }
    #expect(trial.peculiarities(in: folder.url) == [.leavesPresentMark])
  }

  @Test func `a getter and a setter that work as on a device are not reported`() throws {
    let folder = try TestFolder()
    var trial = FoundationTrial()
    trial.readMark = { try $0.hasBackupExclusionMark }
    trial.setMark = { try $0.excludeFromBackup() }
    #expect(trial.peculiarities(in: folder.url).isEmpty)
  }
}
