import BackupContainer
import BackupRules
import BackupScenarios
import Foundation
import Testing
import TrialSupport

@testable import BackupVerdicts

/// Stands for the shim's file in this module.
enum LinuxShimContainer {}

/// The note on the shim in a finding, if the kit knows which module saved the item.
@Suite struct ShimNoteTests {
  @Test(arguments: [
    ("$s6Cinema10MovieStoreO4keep_2asy10Foundation4DataV_SitKFZ", "Cinema"),
    ("$s10Foundation4DataV6CinemaE4keep2asySS_tKF", "Cinema"), ("$sSS6CinemaE4keepyyF", "Cinema"),
    ("$s6Cinema4keepyyF", "Cinema"), ("main", nil), ("$s", nil), ("$s9Cin", nil),
  ])
  func `the module is in the mangled name`(name: String, module: String?) {
    #expect(CodePlace.module(in: name) == module)
  }

  #if os(Linux)
  @Test func `a module without the shim is named, and a module with it is not`() async throws {
    // It does not matter which module called the shim.
    FoundationMarks.noteShim(in: ["Player"])
    let transcript = try await Trial.transcript(
      ["{ perform: 'save' }", "{ backup: 'b' }"], "files: { '**': 'offline' }",
      runner: ScenarioRunner(actions: [
        "save": { try Data([1]).write(to: $0.container.documents.appendingPathComponent("a")) }
      ]))
    let finding = try #require(RuleList.findings(in: transcript).first)
    func note(_ module: String?) -> String? { finding.note(forModule: module) }
    #expect(note("Cinema")?.contains("the module Cinema sets") == true)
    #expect(note("BackupVerdictsTests") == nil)
    #expect(note(nil)?.contains("only if") == true)
  }
  #endif
}
