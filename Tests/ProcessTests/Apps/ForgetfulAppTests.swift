#if os(macOS) || os(Linux)
import BackupTesting
import Testing

/// The kit reports an app whose launch overwrites the user's files.
@Suite struct ForgetfulAppTests {
  /// The message of the finding.
  private static let finding =
    "no file contains the data that the user saved in 'Documents/list.json'"

  @Test func `a launch that overwrites the user's list is reported`() async throws {
    let trial = try await AppTrial(
      ForgetfulApp.self,
      [
        "{ perform: 'add' }", "{ backup: 'b' }", "{ restore: 'b' }", "{ relaunch: {} }",
      ], head: "files: { 'Documents/**': 'critical' },")
    #expect(trial.seen.contains { $0.text.contains(Self.finding) }, "\(trial.seen)")
  }

  @Test(.container(files: ["Documents/**": .critical, "Library/Caches/**": .cached]))
  func `a test without a scenario reports it too`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(ForgetfulApp.self)
    try await app.perform("add")
    let backup = try container.backUp()
    try container.restore(from: backup)
    _ = try await container.launch(ForgetfulApp.self)
    let findings = try container.findings()
    #expect(findings.map(\.rule) == ["user-data-lost"], "\(findings)")
  }
}
#endif
