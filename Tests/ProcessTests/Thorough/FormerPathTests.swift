#if os(macOS) || os(Linux)
import Testing

@testable import BackupRules
@testable import BackupScenarios

/// What an app looks for in a container that it had before is found, though nothing fails.
@Suite(.enabled(if: TapTrial.isThere, "nobody sees there what an app looks for"))
struct FormerPathTests {
  /// What is found after an update of the app, beside the path that is stored.
  private func found(_ step: String, after move: String = "{ updateApp: '2.0' }") async throws
    -> [String]
  {
    let steps = ["{ perform: 'import' }", "{ backup: 'b' }", move, step]
    let run = try await AppStory(FormerPathApp.self, steps, head: "files: { '**': 'critical' },")
      .run()
    #expect(run.failure == nil)
    return run.findings.filter { $0.severity == .error }
      .map { "\($0.rule) \($0.step.number) \($0.path.map { "\($0)" } ?? "")" }
  }

  @Test(arguments: FormerPathApp.looks.keys.sorted())
  func `an item is looked for at its former path`(way: String) async throws {
    let step = "{ perform: 'look', with: { by: '\(way)' } }"
    #expect(try await found(step) == ["stale-container-path 4 Documents/picture.png"])
  }

  @Test func `so it is after a restore`() async throws {
    let step = "{ perform: 'look', with: { by: 'fileExists' } }"
    #expect(
      try await found(step, after: "{ restore: 'b' }") == [
        "stale-container-path 4 Documents/picture.png"
      ])
  }

  @Test func `a link with an absolute path leads there`() async throws {
    let steps = ["perform: 'link'", "updateApp: '2.0'", "perform: 'followLink'"].map { "{ \($0) }" }
    let run = try await AppStory(FormerPathApp.self, steps).run()
    #expect(run.failure == nil)
    #expect(
      run.findings.filter { $0.severity == .error }.map {
        "\($0.rule) \($0.path.map { "\($0)" } ?? "")"
      }
        == [
          "stale-container-path Documents/picture.png"
        ])
  }

  @Test func `an app that then looks in its present container is right`() async throws {
    #expect(try await found("{ perform: 'repair' }") == [])
  }

  @Test func `looks in the present container are right`() async throws {
    #expect(try await found("{ perform: 'lookInside' }") == [])
  }

  @Test func `nothing is looked for in vain before the container has moved`() async throws {
    let step = "{ perform: 'look', with: { by: 'fileExists' } }"
    #expect(try await found(step, after: "{ purge: 'lowStorage' }") == [])
  }
}
#endif
