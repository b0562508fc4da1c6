import BackupFileTree
import BackupRules
import BackupScenarios
import Testing

/// The app is responsible for the items of a captured container once it has had control.
struct CapturedResponsibilityTests {
  let trial: CapturedTrial

  init() throws {
    trial = try CapturedTrial()
  }

  /// Returns the findings after the steps, each as `rule severity path`.
  private func findings(_ steps: [String]) async throws -> [String] {
    let files = "files: { '**/*.png': 'offline', '**/*.mp4': 'offline', '**/*.json': 'critical' }"
    let transcript = try await trial.run(steps, "\(CapturedTrial.start), \(files)")
    #expect(transcript.failure == nil)
    return RuleList.findings(in: transcript).map {
      "\($0.rule) \($0.severity.rawValue) \($0.path?.description ?? "-")"
    }
  }

  private let finding = "recreatable-data-backed-up error Documents/movie.mp4"

  @Test func `unmarked offline data is found in the first backup after a launch`() async throws {
    #expect(try await findings(["{ relaunch: {} }", "{ backup: 'b' }"]) == [finding])
  }

  @Test func `it is found once, in however many backups and launches`() async throws {
    let launchAndRead = ["{ relaunch: {} }", "{ read: 'Documents/movie.mp4' }"]
    #expect(
      try await findings(
        launchAndRead + ["{ backup: 'b1' }"] + launchAndRead + ["{ backup: 'b2' }"]) == [finding])
  }

  @Test func `it is found after an update and a launch`() async throws {
    #expect(
      try await findings(["{ updateApp: '2.0' }", "{ relaunch: {} }", "{ backup: 'b' }"])
        == [finding])
  }

  @Test func `it is no finding before the first launch`() async throws {
    #expect(try await findings(["{ backup: 'b1' }", "{ backup: 'b2' }"]) == [])
    #expect(try await findings(["{ updateApp: '2.0' }", "{ backup: 'b' }"]) == [])
  }

  @Test func `it is no finding if the app marks it at its first launch`() async throws {
    #expect(try await findings(["{ exclude: 'Documents/movie.mp4' }", "{ backup: 'b' }"]) == [])
  }
}
