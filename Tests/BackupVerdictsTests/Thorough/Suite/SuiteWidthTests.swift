import BackupRules
import Foundation
import Testing

@testable import BackupScenarios
@testable import BackupVerdicts

/// The width is the number of scenarios that run at the same time.
@Suite struct SuiteWidthTests {
  /// Counts the scenarios that run.
  private actor Gauge {
    /// The number of scenarios that run now.
    private var count = 0
    /// The largest value of `count` so far.
    private(set) var maximum = 0

    func enter() {
      count += 1
      maximum = max(maximum, count)
    }

    func leave() { count -= 1 }
  }

  /// Returns scenarios that each wait for a short time. The first waits the longest.
  private func scenarios(_ count: Int) throws -> [Scenario] {
    try (0..<count).map { number in
      try Scenario(
        text: """
          { title: 'waits', steps: [
            { perform: 'wait', with: { milliseconds: \(number == 0 ? 100 : 10) } }] }
          """, id: "\(number)")
    }
  }

  /// Returns a suite without golden files. A gauge counts its running scenarios.
  private func suite(_ gauge: Gauge) -> ScenarioSuite {
    var actions = AppActions()
    actions.bind("wait") { action in
      await gauge.enter()
      let time: Int = try action.argument("milliseconds")
      try await Task.sleep(nanoseconds: UInt64(time) * 1_000_000)
      await gauge.leave()
    }
    return ScenarioSuite(
      goldens: nil, recordMode: .never, runner: ScenarioRunner(actions: actions))
  }

  @Test
  func `a suite runs only as many scenarios at a time as its width, and returns them in order`()
    async throws
  {
    let gauge = Gauge()
    var suite = suite(gauge)
    suite.maximumRunningScenarios = 3
    let results = await suite.run(try scenarios(20))
    #expect(results.map(\.scenario.id) == (0..<20).map { "\($0)" })
    #expect(results.allSatisfy { $0.verdict == .passed })
    #expect(await gauge.maximum == 3)
  }

  @Test func `the limit is the number of processors`() {
    #expect(suite(Gauge()).maximumRunningScenarios == ProcessInfo.processInfo.activeProcessorCount)
  }
}
