import BackupFileTree
import BackupVerdicts
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `Following a run` {
  @Test func `finds the same entry by entry, and where runs branch off, as at once`() async throws {
    for scenario in Thoroughness.every(4, of: try Repository.scenarios()) {
      let runner = ScenarioRunner()
      let transcript = try await runner.run(scenario, scenario.variants[0])
      var part = transcript
      part.entries = []
      var followed = FollowedRun(part)
      for count in transcript.entries.indices.map({ $0 + 1 }) {
        part.entries = Array(transcript.entries[..<count])
        // What another run has followed is not seen in this one.
        var other = followed
        other.follow(transcript)
        followed.follow(part)
        var whole = FollowedRun(part)
        whole.follow(part)
        #expect(followed.owedItems(in: part.lastTree) == whole.owedItems(in: part.lastTree))
        #expect(followed.remembered == whole.remembered)
        #expect(
          followed.findings(in: part, isAtEnd: true) { _ in true }.map(\.line)
            == RuleList.findings(in: part).map(\.line),
          "\(scenario.id) \(count)")
      }
    }
  }

  @Test func `takes no remnant of a save for a file, whenever that was found`() async throws {
    let kill = "{ save: 'Documents/a', size: 2, killed: { before: 'rename' } }"
    let steps = ["{ backup: 'a' }", kill, "{ backup: 'b' }", kill, "{ backup: 'c' }"]
    let transcript = try await Trial.transcript(steps, "files: { 'Documents/**': 'critical' }")
    var followed = FollowedRun(transcript)
    for count in transcript.entries.indices {
      var part = transcript
      part.entries = Array(transcript.entries[...count])
      followed.follow(part)
    }
    #expect(followed.findings(in: transcript, isAtEnd: true) { _ in true }.map(\.line) == [])
  }
}

/// The scenarios of this repository.
private enum Repository {
  /// All of them that code of the app's own has no part in.
  static func scenarios() throws -> [Scenario] {
    let file = URL(fileURLWithPath: #filePath)
    let root = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = try ScenarioFolder(path: root.appendingPathComponent("Scenarios").path)
    let all = try folder.scenarios().filter(\.stepsOfCode.isEmpty)
    #expect(all.count > 200)
    return all
  }
}
