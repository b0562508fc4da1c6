import BackupRules
import BackupVerdicts
import TestSupport
import Testing
import TrialSupport

@testable import BackupExploration
@testable import BackupScenarios

@Suite struct `Foreseeing what the system does` {
  @Test func `tells the state that telling the act leads to`() async throws {
    var count = 0
    for scenario in Thoroughness.every(4, of: try ExplorationTrial.scenarios()) {
      count += try await ForecastTrial(scenario).foreseen()
    }
    #expect(count > 1000)
  }

  @Test func `says nothing of acts that were not told, nor where a link is`() async throws {
    let save = "{ save: 'Documents/a', size: 1 }"
    let link = "{ link: 'Documents/l', to: 'Documents/a', absolute: true }"
    #expect(try await ForecastTrial(Trial.scenario([save])).foreseen() > 0)
    #expect(try await ForecastTrial(Trial.scenario([save, link])).foreseen(from: 1) == 0)
  }
}

/// A story in which the system acts twice before each part, once foreseen where it can be.
private struct ForecastTrial {
  /// Tells it.
  private let teller: StoryTeller
  /// It has yet to begin.
  private var history: History
  /// What is known of acts.
  private var forecast = ActForecast()
  /// What may happen.
  private static let acts = Scenario.ExploredAct.allCases.filter {
    $0 != .kill && $0 != .updateSystem
  }

  /// A scenario's story.
  init(_ scenario: Scenario) throws {
    self.teller = try #require(StoryTeller(Story(scenario), on: StoryStage()))
    self.history = History(try StoryRun(scenario, scenario.variants[0]))
  }

  /// Compares what was foreseen with what came.
  ///
  /// - Parameter part: The first part before which the system acts.
  /// - Returns: How often something was foreseen.
  /// - Throws: What telling the story does.
  func foreseen(from part: Int = 0) async throws -> Int {
    var trial = self
    var count = 0
    while trial.history.part < teller.story.parts.count {
      if trial.history.part >= part {
        trial.history.state = trial.forecast.state(of: &trial.history)
        for act in Self.acts {
          guard var branch = await trial.told(act, after: trial.history, &count) else { continue }
          branch.state = trial.forecast.state(of: &branch)
          for next in Self.acts { _ = await trial.told(next, after: branch, &count) }
        }
      }
      try await teller.tellNextPart(in: &trial.history)
    }
    return count
  }

  /// A history after an act; nil where that cannot be told.
  private mutating func told(
    _ act: Scenario.ExploredAct, after history: History, _ count: inout Int
  ) async -> History? {
    let hasLaunchSteps = act == .relaunch && !teller.story.scenario.launch.isEmpty
    guard let state = history.state, !hasLaunchSteps else { return nil }
    let version = act == .updateApp ? "2" : ""
    let foreseen = forecast.state(after: act, version: version, history, in: state)
    var after = history
    do {
      try await teller.tell(.act(act, version: version), in: &after)
    } catch {
      #expect(foreseen == nil)
      return nil
    }
    after.state = forecast.state(of: &after)
    if let foreseen {
      count += 1
      #expect(foreseen == after.state, "\(teller.story.scenario.id) \(act) \(history.part)")
    }
    forecast.note(act, from: history, to: after)
    return after
  }
}
