#if os(macOS) || os(Linux)
import BackupTesting
import Testing

/// What the code of an app's start makes of the user's files.
@Suite struct ForgetfulAppTests {
  /// What is found of the list.
  private static let finding =
    "no file contains the data that the user saved in 'Documents/list.json'"

  @Test func `a start that writes over the user's list is found, also in a process`() async throws {
    let trial = try await AppTrial(
      ForgetfulApp.self,
      [
        "{ perform: 'add' }", "{ backup: 'b' }", "{ restore: 'b' }", "{ relaunch: {} }",
      ], head: "files: { 'Documents/**': 'critical' },")
    #expect(trial.seen.contains { $0.text.contains(Self.finding) }, "\(trial.seen)")
  }

  @Test func `what an action saves is the user's doing`() async throws {
    let trial = try await AppTrial(
      ForgetfulApp.self,
      [
        "{ perform: 'add' }", "{ backup: 'b' }", "{ restore: 'b' }", "{ perform: 'add' }",
        "{ backup: 'c' }",
      ], head: "files: { 'Documents/**': 'critical' },")
    #expect(!trial.seen.contains { $0.text.contains(Self.finding) }, "\(trial.seen)")
  }

  @Test(.container(files: ["Documents/**": .critical, "Library/Caches/**": .cached]))
  func `it is found in a plain test too`() async throws {
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
