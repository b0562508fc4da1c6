#if os(macOS) || os(Linux)
import BackupDevice
import BackupFileTree
import BackupTesting
import Testing

@testable import BackupContainer
@testable import BackupRules
@testable import BackupScenarios

/// Each story has the same findings in four kinds of test: with simulated steps, with code in the
/// test's process, with an app in its own process, and with a session.
@Suite struct SameFindingsTests {
  @Test(arguments: ComparedStory.all)
  func `simulated steps cause the findings of the story`(_ story: ComparedStory) async throws {
    let scenario = try Scenario(text: story.text(byCode: false))
    let transcript = try await ScenarioRunner().run(scenario, scenario.variants[0])
    #expect(transcript.failure == nil)
    #expect(RuleList.findings(in: transcript).summaries == story.findings)
  }

  @Test(arguments: ComparedStory.all)
  func `code in the test's process causes the same findings`(_ story: ComparedStory) async throws {
    let scenario = try Scenario(text: story.text(byCode: true))
    let runner = ScenarioRunner(actions: ComparedStoryApp.actions)
    let transcript = try await runner.run(scenario, scenario.variants[0])
    #expect(transcript.failure == nil)
    #expect(RuleList.findings(in: transcript).summaries == story.findings)
  }

  @Test(arguments: ComparedStory.all)
  func `an app in its own process causes the same findings`(_ story: ComparedStory) async throws {
    let run = try await AppStory(ComparedStoryApp.self, text: story.text(byCode: true)).run()
    #expect(run.failure == nil)
    #expect(run.findings.summaries == story.findings)
  }

  @Test(arguments: ComparedStory.all)
  func `a session causes the same findings`(_ story: ComparedStory) async throws {
    let container = try FakeContainer()
    let findings = await Result { try await story.findings(inSessionOf: container) }
    try container.remove()
    let summaries = try findings.get().summaries
    #expect(summaries == story.findings)
  }
}

extension [Scenario.Finding] {
  /// Each finding as `rule severity path`.
  fileprivate var summaries: Set<String> {
    Set(map { "\($0.rule) \($0.severity.rawValue) \($0.path?.description ?? "-")" })
  }
}

extension Result where Failure == any Error {
  /// Runs code, and keeps its value or its error.
  fileprivate init(_ code: () async throws -> Success) async {
    do { self = .success(try await code()) } catch { self = .failure(error) }
  }
}

extension ComparedStory {
  /// Performs the story by calls to the kit, and returns the findings.
  fileprivate func findings(
    inSessionOf container: FakeContainer
  ) async throws -> [Scenario.Finding] {
    let scenario = try Scenario(text: text(byCode: false))
    let system = try #require(scenario.variants.first?.system)
    var configuration = SessionConfiguration(
      profile: try #require(SystemProfile(version: "\(system)")))
    configuration.files = scenario.files
    configuration.budget = scenario.budget
    try container.beginSession(configuration)
    var app: FakeContainer.LaunchedApp?
    var backups: [String: FakeContainer.Backup] = [:]
    for turn in turns {
      if let (name, arguments) = turn.action {
        let running: FakeContainer.LaunchedApp
        if let app, !app.hasEnded {
          running = app
        } else {
          running = try await container.launch(ComparedStoryApp.self)
        }
        app = running
        do {
          try await running.perform(name, with: arguments)
        } catch {
          // The kit also judges the error with which a test ends.
          let transcript = try container.transcript(endingWith: error)
          return try container.findings() + RuleList.findings(in: transcript)
        }
        continue
      }
      switch turn {
      case .relaunch: app = try await container.launch(ComparedStoryApp.self)
      case .backUp(let label): backups[label] = try container.backUp(label)
      case .place(let path, let size): try container.place(path, .zeros(Int64(size)))
      case .purge: try container.purge()
      case .updateApp(let version): try container.updateApp(to: version)
      case .updateSystem(let version): try container.updateSystem(to: version)
      case .offloadAndReinstall:
        try container.offloadApp()
        try container.reinstallApp()
      case .restore(let label): try container.restore(from: try #require(backups[label]))
      default: Issue.record("a turn without a call")
      }
    }
    return try container.findings()
  }
}

extension FakeContainer {
  /// The transcript of the session, with the error that ends its test.
  fileprivate func transcript(endingWith error: any Error) throws -> Transcript {
    let session = try #require(storedSession.withLock { $0 as? ContainerSession })
    return try #require(session.transcript(of: error), "\(error)")
  }
}
#endif
