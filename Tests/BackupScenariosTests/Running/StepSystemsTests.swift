import Testing
import TrialSupport

@testable import BackupScenarios

/// Steps whose key `on` names the systems under which they are performed.
@Suite struct StepSystemsTests {
  /// Returns the performed steps of each run, from the entries of its transcript.
  private func performedSteps(_ steps: [String], _ other: String) async throws -> [[String]] {
    let scenario = try Trial.scenario(steps, other)
    var stepsOfRuns: [[String]] = []
    for variant in scenario.variants {
      let transcript = try await ScenarioRunner().run(scenario, variant)
      #expect(transcript.failure == nil)
      stepsOfRuns.append(
        transcript.entries.map {
          if case .launch = $0.event { "launch in \($0.step)" } else { "\($0.step)" }
        })
    }
    return stepsOfRuns
  }

  @Test func `a step is performed only under its systems, and keeps its number`() async throws {
    let steps = [
      "{ backup: 'a', on: '5.0' }", "{ backup: 'b', on: ['18', 'newest'] }", "{ backup: 'c' }",
    ]
    #expect(
      try await performedSteps(steps, "system: ['5.0', '18', 'newest']") == [
        ["step 1", "step 3"], ["step 2", "step 3"], ["step 2", "step 3"],
      ])
  }

  @Test func `'on' means the system that the device has at the step`() async throws {
    let steps = [
      "{ backup: 'a', on: '5.0' }", "{ updateSystem: '9', on: '5.0' }", "{ backup: 'b', on: '9' }",
      "{ updateSystem: '18' }", "{ backup: 'c', on: '18' }",
    ]
    #expect(
      try await performedSteps(steps, "system: ['5.0', '9']") == [
        ["step 1", "step 2", "step 3", "step 4", "step 5"], ["step 3", "step 4", "step 5"],
      ])
  }

  @Test func `launch steps can have 'on' too`() async throws {
    let launch = """
      system: '5.0', launch: [{ save: 'tmp/a', size: 1, how: 'deleteFirst', on: '5.0' }, \
      { save: 'tmp/b', size: 1, how: 'deleteFirst', on: '9' }]
      """
    #expect(
      try await performedSteps(
        ["{ relaunch: {} }", "{ updateSystem: '9' }", "{ relaunch: {} }"], launch) == [
          [
            "launch in step 1", "launch step 1", "step 2", "launch in step 3", "launch step 2",
          ]
        ])
  }

  @Test func `a skipped step does not start the app`() async throws {
    let steps = ["{ save: 'tmp/a', size: 1, on: '5.0' }", "{ backup: 'a' }"]
    #expect(
      try await performedSteps(steps, "system: ['5.0', '18']")
        == [["launch in step 1", "step 1", "step 2"], ["step 2"]])
  }

  @Test func `a skipped step does not have to fail`() async throws {
    let steps = ["{ remove: 'tmp/a', throws: true, on: '5.0' }", "{ backup: 'a' }"]
    #expect(try await performedSteps(steps, "system: ['5.0', '18']").last == ["step 2"])
  }
}
