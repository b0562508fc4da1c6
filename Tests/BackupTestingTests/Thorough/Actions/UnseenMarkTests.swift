import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupRules
@testable import BackupScenarios

/// Marks that the app's code sets by Foundation, which does nothing on Linux without the shim.
@Suite struct UnseenMarkTests {
  /// The advice of what is found where an app saves movies without a mark that anybody sees.
  private func advice(
    _ steps: [String], seenIn modules: FoundationMarks.VisibleModules
  ) async throws -> [String] {
    let text = """
      { title: "Marks", files: { "Library/**": "offline" }, \
      steps: [\(steps.joined(separator: ", "))] }
      """
    var runner = ScenarioRunner(actions: [
      "save": { action in
        for name in ["com.example.app.1", "com.example.app.2"] {
          try Data([1]).write(to: action.container.library.appendingPathComponent(name))
        }
      }
    ])
    runner.foundationMarks = { modules }
    let scenario = try Scenario(text: text)
    let transcript = try await runner.run(scenario, scenario.variants[0])
    return RuleList.findings(in: transcript).map { $0.details.joined(separator: "\n") }
  }

  @Test func `the first missing mark names the shim`() async throws {
    let advice = try await advice(["{ perform: 'save' }", "{ backup: 'b' }"], seenIn: .modules([]))
    #expect(advice.count == 2)
    #expect(advice.first?.contains("the plugin LinuxShim") == true)
    #expect(advice.last?.contains("LinuxShim") == false)
  }

  @Test func `the modules are named that have the shim, as another may not have it`() async throws {
    let advice = try await advice(
      ["{ perform: 'save' }", "{ backup: 'b' }"], seenIn: .modules(["Player", "Movies"]))
    #expect(advice.first?.contains("only Movies and Player have it") == true)
  }

  @Test func `none does where all modules have the shim, or on an Apple platform`() async throws {
    let advice = try await advice(["{ perform: 'save' }", "{ backup: 'b' }"], seenIn: .everyModule)
    #expect(advice.count == 2)
    #expect(!advice.contains { $0.contains("LinuxShim") })
  }

  @Test func `none does that a simulated step lacks, nor one that is about another thing`()
    async throws
  {
    let simulated = try await advice(
      ["{ save: 'Library/com.example.app.1', size: 1 }", "{ backup: 'b' }"], seenIn: .modules([]))
    #expect(simulated.count == 1 && !simulated.contains { $0.contains("LinuxShim") })
    let other = try await advice(
      ["{ perform: 'save' }", "{ read: 'tmp/a' }"], seenIn: .modules([]))
    #expect(!other.isEmpty && !other.contains { $0.contains("LinuxShim") })
  }
}
