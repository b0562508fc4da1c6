import BackupContainer
import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

extension `In place of a golden file` {
  @Test func `a file larger than any golden file is not read`() async throws {
    let path = folder.url("Golden/trial.golden").path
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    try #require(truncate(path, off_t(GoldenStore.maximumFileSize) + 1) == 0)
    let problem = try await result(.never).problems.first
    #expect(
      problem?.message.contains(
        "larger than 200.0 MB, the most that a golden file may have") == true)
  }
}
