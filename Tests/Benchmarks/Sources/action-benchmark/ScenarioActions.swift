import BackupTesting
import Foundation

/// Measures the `perform` steps of a scenario with bound code.
enum ScenarioActions {
  /// The most that an action may cost, in scans.
  private static let limit = 2.2

  /// Runs a scenario with many actions.
  ///
  /// The cost of an action is the time of its code and the time until the next action's code
  /// begins.
  ///
  /// - Parameters:
  ///   - rounds: The number of measured actions.
  ///   - scannedContainer: The container that is scanned for comparison.
  ///   - folder: The folder for the scenario file.
  ///   - step: A simulated step before each action, which counts as part of it; nil for none.
  /// - Returns: The costs of the actions and the scans.
  /// - Throws: An error if a file cannot be read or written.
  static func measure(
    rounds: Int, _ scannedContainer: FakeContainer, in folder: WorkFolder, after step: String? = nil
  ) async throws -> Cost {
    let meter = Meter(scanning: scannedContainer)
    let id = step == nil ? "actions" : "steps"
    let round = [step, "{ perform: 'act' }"].compactMap(\.self)
    let steps = ["{ perform: 'fill' }", "{ perform: 'act' }"] + (1...rounds).flatMap { _ in round }
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
            if let container = try? FakeContainer.current {
              try await meter.performAction(in: container)
            }
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

/// Measures the time when the code of each action begins and ends.
private actor Meter {
  private let scannedContainer: FakeContainer
  /// The end and the duration of the previous action's code, in seconds.
  private var previousCode: (end: Double, time: Double)?
  /// The time of each action, in seconds.
  private(set) var actions: [Double] = []
  /// The time of each scan, in seconds.
  private(set) var scans: [Double] = []

  init(scanning scannedContainer: FakeContainer) {
    self.scannedContainer = scannedContainer
  }

  /// Scans a container for comparison, and then runs the app's code.
  func performAction(in container: FakeContainer) throws {
    let begin = ProcessTime.now
    if let previousCode { actions.append(begin - previousCode.end + previousCode.time) }
    scans.append(try ProcessTime.of { try scannedContainer.scan() })
    let time = try ProcessTime.of { try Workload.act(container) }
    previousCode = (ProcessTime.now, time)
  }
}
