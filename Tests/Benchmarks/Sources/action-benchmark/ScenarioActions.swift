import BackupTesting
import Foundation

/// Measures the `perform` steps of a scenario with bound code.
enum ScenarioActions {
  /// What an action may cost, in scans.
  private static let limit = 2.2

  /// Runs a scenario of many actions; what is between the code of two is an action's whole cost but
  /// for the code.
  ///
  /// - Parameters:
  ///   - rounds: How many actions.
  ///   - plain: The container that is scanned for comparison.
  ///   - folder: Where the scenario stands.
  ///   - step: A step of the kit's before each action, which is counted with it; nil for none.
  /// - Returns: What an action costs.
  /// - Throws: What the containers and the scenario's file are refused with.
  static func measure(
    rounds: Int, _ plain: FakeContainer, in folder: WorkFolder, after step: String? = nil
  ) async throws -> Cost {
    let meter = Meter(plain)
    let id = step == nil ? "actions" : "steps"
    let act = [step, "{ perform: 'act' }"].compactMap(\.self)
    let steps = ["{ perform: 'fill' }", "{ perform: 'act' }"] + (1...rounds).flatMap { _ in act }
    let text = """
      { title: "Many actions", backups: ["iCloud"], steps: [\(steps.joined(separator: ","))] }
      """
    try Data(text.utf8).write(to: folder.url.appending(path: "\(id).json5"))
    let scenarios = try Scenario.all(in: folder.url.path, matching: id)
    for scenario in scenarios {
      await scenario.run(
        actions: [
          "fill": { _ in
            if let container = try? FakeContainer.current { try Workload.fill(container) }
          },
          "act": { _ in
            if let container = try? FakeContainer.current { try await meter.act(in: container) }
          },
        ],
        options: Scenario.RunOptions(
          goldenFolder: folder.url.appending(path: "Golden").path, recordMode: .all))
    }
    return Cost(
      name: step == nil ? "action of a scenario" : "action and a step of the kit's before it",
      actions: await meter.actions, scans: await meter.scans, limit: step == nil ? limit : nil)
  }
}

/// Reads the clock whenever the app's code begins and ends.
private actor Meter {
  /// The container that is scanned for comparison.
  private let plain: FakeContainer
  /// When the latest code ended, and how long it took, in seconds.
  private var latest: (end: Double, time: Double)?
  /// What each action took, with its code.
  private(set) var actions: [Double] = []
  private(set) var scans: [Double] = []

  /// A meter that has measured nothing.
  init(_ plain: FakeContainer) {
    self.plain = plain
  }

  /// Does what the app's code does.
  func act(in container: FakeContainer) throws {
    let begin = ProcessTime.now
    if let latest { actions.append(begin - latest.end + latest.time) }
    scans.append(try ProcessTime.of { try plain.scan() })
    let time = try ProcessTime.of { try Workload.act(container) }
    latest = (ProcessTime.now, time)
  }
}
