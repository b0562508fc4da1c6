import BackupFileTree
import Testing
import TrialSupport

@testable import BackupScenarios

/// Steps that the app performs only under a condition.
@Suite struct ConditionalStepTests {
  private static let list = "{ save: 'Documents/list', contents: '[1]' }"

  @Test(
    arguments: [
      "{ save: 'Documents/list', contents: '[]', ifExists: 'skip' }",
      "{ copy: 'Documents/other', to: 'Documents/list', ifExists: 'skip' }",
      "{ move: 'Documents/other', to: 'Documents/list', ifExists: 'skip' }",
    ])
  func `with 'ifExists', an existing item is kept, and a missing item is created`(
    step: String
  ) async throws {
    let other = "{ save: 'Documents/other', contents: '[]' }"
    func expecting(_ contents: String) -> String {
      "{ expectFile: { path: 'Documents/list', contents: '\(contents)' } }"
    }
    #expect(try await Trial.failure([other, step, expecting("[]")]) == nil)
    #expect(try await Trial.failure([other, Self.list, step, expecting("[1]")]) == nil)
  }

  @Test(
    arguments: [
      ("'2.0'", [false, true, false]), ("['1.9', '2.0']", [true, true, false]),
      ("{ from: '2.0' }", [false, true, true]), ("{ before: '2.0' }", [true, false, false]),
      ("{ from: '1.10', before: '3' }", [false, true, false]), ("'2'", [false, true, false]),
    ])
  func `a launch step is performed only in the app versions that it names`(
    versions: String, isDone: [Bool]
  ) async throws {
    let scenario = try Trial.scenario(
      [
        "{ relaunch: {} }", "{ updateApp: '2.0' }", "{ relaunch: {} }", "{ updateApp: '3.0' }",
        "{ relaunch: {} }",
      ],
      """
      app: { version: '1.9' }, launch: [{ save: 'Documents/now', size: 1, app: \(versions) },
      { remove: 'Documents/now', ifMissing: 'skip' }]
      """)
    let transcript = try await ScenarioRunner().run(scenario, scenario.variants[0])
    #expect(transcript.failure == nil)
    let createdPath = try ContainerPath("Documents/now")
    let launches = transcript.entries.split(omittingEmptySubsequences: false) { entry in
      if case .launch = entry.event { true } else { false }
    }
    #expect(launches.dropFirst().map { $0.contains { $0.tree.contains(createdPath) } } == isDone)
  }

  @Test func `a version that the app has under one system only is no mistake`() {
    let mistakes = Trial.mistakes(
      in: """
        { title: 'T', system: ['17', '18'],
          steps: [{ updateApp: '2.0', on: '18' }, { save: 'Documents/a', size: 1, app: '2.0' }] }
        """)
    #expect(mistakes == [])
  }

  @Test func `a launch step for a version that is never started is a mistake`() {
    let mistakes = Trial.mistakes(
      in: """
        { title: 'T', launch: [{ save: 'Documents/a', size: 1, app: '1.0' }],
          steps: [{ updateApp: '2.0' }, { relaunch: {} }] }
        """)
    #expect(mistakes.first?.contains("only 2.0; update it before") == true)
  }
}
