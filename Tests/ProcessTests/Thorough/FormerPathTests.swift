#if os(macOS) || os(Linux)
import Testing

@testable import BackupRules
@testable import BackupScenarios

/// The kit reports that an app looks for an item in its former container, even if no call fails.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app looks for"))
struct FormerPathTests {
  /// Imports a picture, performs a step after `move`, and returns the errors.
  private func errors(in step: String, after move: String = "{ updateApp: '2.0' }") async throws
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
  func `a look at the former path is an error`(way: String) async throws {
    let step = "{ perform: 'look', with: { by: '\(way)' } }"
    #expect(try await errors(in: step) == ["stale-container-path 4 Documents/picture.png"])
  }

  @Test func `after a restore, a look at the former path is an error`() async throws {
    let step = "{ perform: 'look', with: { by: 'fileExists' } }"
    #expect(
      try await errors(in: step, after: "{ restore: 'b' }") == [
        "stale-container-path 4 Documents/picture.png"
      ])
  }

  @Test func `a link with an absolute path leads to the former path`() async throws {
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

  @Test func `an app that then looks in its current container is right`() async throws {
    #expect(try await errors(in: "{ perform: 'repair' }") == [])
  }

  @Test func `looks in the current container are right`() async throws {
    #expect(try await errors(in: "{ perform: 'lookInside' }") == [])
  }

  @Test func `a look at the stored path is right until the container moves`() async throws {
    let step = "{ perform: 'look', with: { by: 'fileExists' } }"
    #expect(try await errors(in: step, after: "{ purge: 'lowStorage' }") == [])
  }
}
#endif
