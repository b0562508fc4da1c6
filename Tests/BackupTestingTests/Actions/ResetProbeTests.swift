import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// Real code is judged as if every save reset the mark.
@Suite struct ResetProbeTests {
  /// A scenario that performs two actions on a marked movie, each followed by a backup.
  private static let twoActions = """
    {
      title: "Two actions",
      steps: [
        { perform: "first" }, { backup: "one" }, { perform: "second" }, { backup: "two" },
      ],
    }
    """

  /// Returns the findings after the first action marks a movie, and the action `second` follows.
  private func findings(
    probing: Bool = true, second: @escaping AppActions.Code
  ) async throws -> [Scenario.Finding] {
    var actions = AppActions()
    actions.bind("first", Self.downloadAndMark)
    actions.bind("second", probesMarks: probing, second)
    let scenario = try Scenario(text: Self.twoActions)
    let runner = ScenarioRunner(actions: actions)
    let transcript = try await runner.run(scenario, scenario.variants[0])
    #expect(transcript.failure?.message == nil)
    return RuleList.findings(in: transcript)
  }

  /// Saves a movie and marks it.
  private static let downloadAndMark: AppActions.Code = { action in
    let movie = action.container.movie
    try FileManager.default.createDirectory(
      at: movie.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(count: 100).write(to: movie)
    try movie.excludeFromBackup()
  }

  @Test func `an in-place save without the mark breaks reapply-on-save`() async throws {
    let findings = try await findings { action in
      let handle = try FileHandle(forWritingTo: action.container.movie)
      try handle.write(contentsOf: Data(count: 100))
      try handle.close()
    }
    #expect(findings.map(\.rule) == ["reapply-on-save"])
    #expect(findings.map(\.severity) == [.error])
    #expect(findings.first?.step.number == .step(3))
  }

  @Test func `without the probe a mark that survives is only a warning`() async throws {
    let findings = try await findings(probing: false) { action in
      let handle = try FileHandle(forWritingTo: action.container.movie)
      try handle.write(contentsOf: Data(count: 100))
      try handle.close()
    }
    #expect(findings.map(\.severity) == [.warning])
  }

  @Test func `an action that only reads keeps the mark`() async throws {
    let findings = try await findings { action in
      _ = try Data(contentsOf: action.container.movie)
    }
    #expect(findings.isEmpty)
  }

  @Test func `an action may check the mark before it sets the mark`() async throws {
    let findings = try await findings { action in
      try Data(count: 7).write(to: action.container.movie)
      if try !action.container.movie.hasBackupExclusionMark {
        try action.container.movie.excludeFromBackup()
      }
    }
    #expect(findings.isEmpty)
  }
}

extension FakeContainer.Locations {
  /// The app's movie.
  fileprivate var movie: URL { applicationSupport.appendingPathComponent("Movies/1.mp4") }
}
