import BackupContainer
import BackupDevice
import Testing

@testable import BackupScenarios

/// The environment variables that a tool gets.
struct ToolEnvironmentTests {
  /// Returns the variables of a tool if this process has these variables.
  private func variables(_ environment: [String: String]) throws -> [String: String] {
    let container = try FakeContainer()
    return ProcessCommand.environmentVariables(
      container: container, system: try #require(SystemVersion("5.0.1")), appVersion: "1.0",
      launchCount: 1, from: environment)
  }

  @Test func `a tool learns which system the device has`() throws {
    #expect(try variables([:])["BACKUP_TESTING_SYSTEM"] == "5.0.1")
  }

  @Test func `the search path and the language are kept, secrets are not`() throws {
    let variables = try variables([
      "PATH": "/opt/bin:/bin", "LANG": "de_DE.UTF-8", "LC_ALL": "C", "GITHUB_TOKEN": "secret",
      "HOME": "/home/somebody", "LD_PRELOAD": "x.so", "TMPDIR": "/somewhere",
    ])
    #expect(variables["PATH"] == "/opt/bin:/bin")
    #expect(variables["LANG"] == "de_DE.UTF-8" && variables["LC_ALL"] == "C")
    #expect(variables["GITHUB_TOKEN"] == nil && variables["LD_PRELOAD"] == nil)
    #expect(variables["HOME"] != "/home/somebody" && variables["TMPDIR"] != "/somewhere")
  }

  @Test func `a tool has a search path even if this process has none`() throws {
    #expect(try variables([:])["PATH"] == "/usr/bin:/bin")
  }
}
