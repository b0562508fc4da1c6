import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `Launch steps run` {
  /// Returns the launches and the steps with changes, in order.
  private func launches(_ steps: [String]) async throws -> [String] {
    let transcript = try await Trial.transcript(
      steps, "launch: [{ save: 'tmp/started', size: 1, how: 'deleteFirst' }]")
    #expect(transcript.failure == nil)
    return transcript.entries.compactMap {
      switch $0.event {
      case .launch: "launch in \($0.step)"
      case .changes: "\($0.step)"
      default: nil
      }
    }
  }

  private let save = "{ save: 'tmp/a', size: 1 }"

  @Test func `once before the first app step`() async throws {
    #expect(
      try await launches([save, save])
        == ["launch in step 1", "launch step 1", "step 1", "step 2"])
  }

  @Test(
    arguments: [
      "{ purge: 'lowStorage' }", "{ updateApp: '2.0' }", "{ updateSystem: '\(Trial.newest)' }",
      "{ restore: 'a' }", "{ kill: {} }",
    ])
  func `again before the next app step after one that ends the app`(ending: String) async throws {
    let steps = ["{ backup: 'a' }", save, ending, "{ backup: 'b' }", save]
    let transcript = try await Trial.transcript(
      steps, "system: '18', launch: [{ save: 'tmp/started', size: 1 }]")
    let launches = transcript.entries.compactMap { record -> String? in
      if case .launch = record.event { "\(record.step)" } else { nil }
    }
    #expect(transcript.failure == nil)
    #expect(launches == ["step 2", "step 5"])
  }

  @Test func `not before backups and assertions`() async throws {
    #expect(
      try await launches(["{ backup: 'a' }", "{ expectFiles: { absent: ['tmp/*'] } }"]) == [])
  }

  @Test func `at each relaunch, at once`() async throws {
    #expect(
      try await launches(["{ relaunch: {} }", "{ relaunch: {} }", save]) == [
        "launch in step 1", "launch step 1", "launch in step 2", "launch step 1", "step 3",
      ])
  }

  @Test func `not at a kill, whether the app runs or not`() async throws {
    let kill = "{ kill: {} }"
    #expect(try await launches([kill, kill]) == [])
    #expect(
      try await launches([kill, save, kill, kill, save]) == [
        "launch in step 2", "launch step 1", "step 2", "launch in step 5", "launch step 1",
        "step 5",
      ])
  }

  @Test func `not after a backup, because the app keeps running`() async throws {
    #expect(
      try await launches([save, "{ backup: 'a' }", save]).count { $0.hasPrefix("launch in") } == 1)
  }
}
