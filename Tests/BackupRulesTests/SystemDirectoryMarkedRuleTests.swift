import BackupFileTree
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `system-directory-marked finds` {
  @Test(arguments: ContainerPath.StandardLocation.allCases)
  func `a standard directory, as advice if no backup contains it`(
    location: ContainerPath.StandardLocation
  ) async throws {
    let path = location.path
    let steps = ["{ createDirectory: '\(path)' }", "{ exclude: '\(path)' }"]
    let severity = path.location?.isPurgeable == true ? "advice" : "error"
    #expect(
      try await Trial.verdicts(steps + steps) == ["system-directory-marked \(severity) 2 \(path)"])
  }

  @Test func `the cause of the left-out data, as the only finding`() async throws {
    #expect(
      try await Trial.verdicts(
        ["{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents' }", "{ backup: 'b' }"],
        "files: { 'Documents/**': 'critical' }") == ["system-directory-marked error 2 Documents"])
  }

  @Test func `no directory of the app with such a name`() async throws {
    let path = "Documents/Library"
    #expect(
      try await Trial.verdicts(["{ createDirectory: '\(path)' }", "{ exclude: '\(path)' }"]) == [])
  }

  @Test func `no directory that the app creates in a standard directory`() async throws {
    for location in ContainerPath.StandardLocation.allCases {
      let path = "\(location.path)/Own"
      let steps = ["{ createDirectory: '\(path)' }", "{ exclude: '\(path)' }"]
      #expect(!(try await Trial.findings(steps)).contains { $0.rule == "system-directory-marked" })
    }
  }
}
