import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `directory-name finds` {
  @Test func `a directory of the app right in Library, without the bundle identifier in its name`()
    async throws
  {
    for steps in [
      ["{ createDirectory: 'Library/Movies/New' }"],
      ["{ createDirectory: 'Documents/M' }", "{ move: 'Documents/M', to: 'Library/Movies' }"],
      ["{ createDirectory: 'Documents/M' }", "{ copy: 'Documents/M', to: 'Library/Movies' }"],
    ] {
      #expect(
        try await Trial.verdicts(steps) == ["directory-name advice \(steps.count) Library/Movies"])
    }
  }

  @Test(
    arguments: [
      "{ createDirectory: 'Library/com.example.app' }",
      "{ createDirectory: 'Library/com.example.app.movies' }",
      "{ createDirectory: 'Library/Application Support/Movies' }",
      "{ createDirectory: 'Library/Private Documents/Maps' }",
      "{ createDirectory: 'Library/WebKit' }", "{ createDirectory: 'Documents/Library/Movies' }",
      "{ save: 'Library/settings', size: 1 }",
    ])
  func `nothing else`(step: String) async throws {
    #expect(try await Trial.verdicts([step]) == [])
  }

  @Test func `the directory once`() async throws {
    let make = "{ createDirectory: 'Library/M' }"
    #expect(try await Trial.verdicts([make, "{ remove: 'Library/M' }", make]).count == 1)
  }
}
