import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupRules
@testable import BackupScenarios

/// Foundation's marks have no effect on Linux without the shim, and the advice says so.
@Suite struct UnseenMarkTests {
  /// Returns the details of the findings on an app that saves movies, of which the kit sees no
  /// mark.
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
    runner.visibleModules = { modules }
    let scenario = try Scenario(text: text)
    let transcript = try await runner.run(scenario, scenario.variants[0])
    return RuleList.findings(in: transcript).map { $0.adviceLines.joined(separator: "\n") }
  }

  @Test func `the first missing mark names the shim`() async throws {
    let advice = try await advice(["{ perform: 'save' }", "{ backup: 'b' }"], seenIn: .modules([]))
    #expect(advice.count == 2)
    #expect(advice.first?.contains("the plugin LinuxShim") == true)
    #expect(advice.last?.contains("LinuxShim") == false)
  }

  @Test func `the advice names the modules with the shim, because another module may lack it`()
    async throws
  {
    let advice = try await advice(
      ["{ perform: 'save' }", "{ backup: 'b' }"], seenIn: .modules(["Player", "Movies"]))
    #expect(advice.first?.contains("only Movies and Player have it") == true)
  }

  @Test func `no advice names the shim if all modules have it, as on Apple platforms`() async throws
  {
    let advice = try await advice(["{ perform: 'save' }", "{ backup: 'b' }"], seenIn: .everyModule)
    #expect(advice.count == 2)
    #expect(!advice.contains { $0.contains("LinuxShim") })
  }

  @Test func `no advice names the shim for a simulated step, or for another rule`()
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
