import BackupRules
import BackupVerdicts
import TestSupport
import Testing
import TrialSupport

@testable @_spi(Benchmarks) import BackupExploration
@testable import BackupScenarios

@Suite struct `Foreseeing what the system does` {
  @Test func `tells the state that telling the act leads to`() async throws {
    var count = 0
    for scenario in Thoroughness.every(4, of: try ExplorationTrial.scenarios()) {
      count += try await ForecastTrial(scenario).foreseen()
    }
    #expect(count > 1000)
  }

  @Test func `remembers what acts lead to in a long walk`() async throws {
    let steps = [
      "{ save: 'Documents/a', size: 1 }", "{ save: 'Library/Caches/b', size: 1 }",
      "{ save: 'tmp/c', size: 1 }",
    ]
    var walk = try #require(await SystemWalk(Trial.scenario(steps)))
    let events = try await walk.go(1000)
    #expect((1100..<1300).contains(events))
    let count = walk.stateCount
    _ = try await walk.go(1000)
    #expect(walk.stateCount == count && count < 50, "\(count)")
  }

  @Test func `says nothing of acts that were not told, nor where a link is`() async throws {
    let save = "{ save: 'Documents/a', size: 1 }"
    let link = "{ link: 'Documents/l', to: 'Documents/a', absolute: true }"
    #expect(try await ForecastTrial(Trial.scenario([save])).foreseen() > 0)
    #expect(try await ForecastTrial(Trial.scenario([save, link])).foreseen(from: 1) == 0)
  }

  @Test func `takes no backup that another system takes for one like the last`() async throws {
    let steps = ["{ save: 'Documents/a', size: 1 }", "{ backup: 'b' }"]
    let other = "files: { '**': 'offline' }, system: ['5.1', 'newest']"
    for (last, suspicions) in [("{ backup: 'c' }", 1), ("{ backup: 'c', on: 'newest' }", 0)] {
      let scenario = try Trial.scenario(steps + [last], other)
      let teller = try #require(StoryTeller(Story(scenario), on: StoryStage()))
      let run = try teller.stage.run(scenario, scenario.variants[0])
      var exploration = BackupExploration(teller, run, ExplorationSettings())
      var history = History(try Telling(run).saved())
      var counts: [Int] = []
      while history.part < teller.story.parts.count {
        _ = exploration.number(of: &history)
        let before = history.suspicions.count
        try await exploration.go(.part, in: &history, acts: 0)
        counts.append(history.suspicions.count - before)
      }
      #expect(counts.suffix(2) == [1, suspicions] && history.untold.count == suspicions)
    }
  }
}

/// A story in which the system acts twice before each part, once foreseen where it can be.
private struct ForecastTrial {
  /// Tells it.
  private let teller: StoryTeller
  /// It has yet to begin.
  private var history: Telling
  /// What is known of acts.
  private var forecast: ActForecast
  /// What may happen.
  private static let acts = Scenario.ExploredAct.allCases.filter {
    $0 != .kill && $0 != .updateSystem
  }

  /// A scenario's story.
  init(_ scenario: Scenario) throws {
    self.teller = try #require(StoryTeller(Story(scenario), on: StoryStage()))
    let run = try StoryRun(scenario, scenario.variants[0])
    self.history = Telling(run)
    self.forecast = ActForecast(run)
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
        _ = trial.forecast.state(of: &trial.history)
        for act in Self.acts {
          guard let branch = await trial.told(act, after: trial.history, &count) else { continue }
          for next in Self.acts { _ = await trial.told(next, after: branch, &count) }
        }
      }
      try await teller.tell(.part, in: &trial.history)
    }
    return count
  }

  /// A history after an act; nil where that cannot be told.
  private mutating func told(
    _ act: Scenario.ExploredAct, after history: Telling, _ count: inout Int
  ) async -> Telling? {
    let hasLaunchSteps = act == .relaunch && !teller.story.scenario.launch.isEmpty
    guard !hasLaunchSteps else { return nil }
    var (before, after) = (history, history)
    let state = forecast.state(of: &before)
    let foreseen = forecast.state(after: .act(act), before, in: state)
    do {
      try await teller.tell(.act(act, version: act == .updateApp ? "2" : ""), in: &after)
    } catch {
      #expect(foreseen == nil)
      return nil
    }
    let next = forecast.state(of: &after)
    if let foreseen {
      count += 1
      var expected = next
      // Which version an update brings only the story's teller knows.
      expected.appVersion = state.appVersion
      #expect(foreseen == expected, "\(teller.story.scenario.id) \(act) \(history.part)")
    }
    forecast.note(.act(act), from: before, in: state, to: after, in: next)
    return after
  }
}
