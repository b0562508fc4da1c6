import BackupFileTree
import BackupRules
import BackupScenarios
import Testing

/// What lies in a captured container is the app's to look after once it has had control.
struct CapturedResponsibilityTests {
  let trial: CapturedTrial

  init() throws {
    trial = try CapturedTrial()
  }

  /// What is found, each as `rule severity path`.
  private func subjects(_ steps: [String]) async throws -> [String] {
    let files = "files: { '**/*.png': 'offline', '**/*.mp4': 'offline', '**/*.json': 'critical' }"
    let transcript = try await trial.run(steps, "\(CapturedTrial.start), \(files)")
    #expect(transcript.failure == nil)
    return RuleList.findings(in: transcript).map {
      "\($0.rule) \($0.severity.rawValue) \($0.path?.description ?? "-")"
    }
  }

  private let finding = "recreatable-data-backed-up error Documents/movie.mp4"

  @Test func `unmarked offline data is found in the first backup after a launch`() async throws {
    #expect(try await subjects(["{ relaunch: {} }", "{ backup: 'b' }"]) == [finding])
  }

  @Test func `it is found once, in however many backups and launches`() async throws {
    let turn = ["{ relaunch: {} }", "{ read: 'Documents/movie.mp4' }"]
    #expect(
      try await subjects(turn + ["{ backup: 'b1' }"] + turn + ["{ backup: 'b2' }"]) == [finding])
  }

  @Test func `it is found after an update behind which the app was launched`() async throws {
    #expect(
      try await subjects(["{ updateApp: '2.0' }", "{ relaunch: {} }", "{ backup: 'b' }"])
        == [finding])
  }

  @Test func `it is nobody's fault before the first launch`() async throws {
    #expect(try await subjects(["{ backup: 'b1' }", "{ backup: 'b2' }"]) == [])
    #expect(try await subjects(["{ updateApp: '2.0' }", "{ backup: 'b' }"]) == [])
  }

  @Test func `it is right where the app marks it at its first launch`() async throws {
    #expect(try await subjects(["{ exclude: 'Documents/movie.mp4' }", "{ backup: 'b' }"]) == [])
  }
}
