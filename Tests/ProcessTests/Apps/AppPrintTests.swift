#if os(macOS) || os(Linux)
import BackupVerdicts
import Testing

/// The kit shows the output of an app.
struct AppPrintTests {
  @Test func `equal output of several runs is shown once, after the scenario's id`() async throws {
    let trial = try await AppTrial(
      HabitsApp.self,
      [
        "{ perform: 'say', with: { words: 'one' } }", "{ relaunch: {} }",
        "{ perform: 'say', with: { words: 'two' } }", "{ backup: 'b' }",
      ], head: "system: ['18', '26'],")
    #expect(trial.result?.runs.count == 2)
    #expect(trial.shown == "x: one\nx: two\n")
  }
}
#endif
