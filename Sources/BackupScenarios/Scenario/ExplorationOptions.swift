import BackupDiagnostics
import BackupFileTree

extension Scenario {
  /// What a scenario says of its exploration: `explore`.
  package struct ExplorationOptions: Hashable, Sendable {
    /// The number of the first step before which the system may act; nil where that is not said.
    package var firstStep: Int?
    /// What the system does not do in it.
    package var without: Set<ExploredAct> = []
    /// Why it is so; empty where nothing is said.
    package var reason = ""

    /// Whether it is explored at all.
    package var isWanted: Bool { without.count < ExploredAct.allCases.count }
  }

  /// What the system may do at any point of a scenario, when it is explored.
  package enum ExploredAct: String, CaseIterable, Hashable, Sendable {
    /// The app is killed within what it does.
    case kill
    /// The app is ended and started again.
    case relaunch
    /// Caches and tmp are taken, as at any time.
    case idle
    /// Storage is low.
    case lowStorage
    /// Storage is short.
    case criticalStorage
    /// The app is updated.
    case updateApp
    /// The system is updated.
    case updateSystem
    /// A backup is taken and restored on a new device.
    case newDevice
  }
}

extension Scenario.ExplorationOptions {
  /// The first step.
  private static let firstField = Field<Int>(
    "from", .ordinal(upTo: ScenarioReader.mostSteps),
    default: .inWords("the step after the last 'updateApp'"),
    "The number of the first step before which the system may act.")
  /// What the system does not do.
  private static let withoutField = Field<[Set<Scenario.ExploredAct>]>(
    "without", .oneOrMore(of: .explored, named: "act", distinctAs: "act"),
    default: .inWords("nothing"),
    "What the system does not do; all: the scenario is not explored.")
  /// Why.
  private static let reasonField = Field<String>(
    "reason",
    .filledString("why it is so, in a sentence", empty: "the reason is empty; say why it is so"),
    default: .required, "Why it is so.")

  /// The key of a scenario.
  static let field = Field<Scenario.ExplorationOptions>(
    "explore",
    .object(
      "{ from: 3, without: [\"newDevice\"], reason: \"…\" }",
      [firstField, withoutField, reasonField]
    ) { object in
      guard let reason = object[reasonField] else { return nil }
      return Scenario.ExplorationOptions(
        firstStep: object[firstField],
        without: Set((object[withoutField] ?? []).flatMap(\.self)), reason: reason)
    }, default: .inWords("every point and act"),
    "What 'explore' leaves out of this scenario, with the reason; it lets the system act at every "
      + "point.",
    examples: [["from": 3, "without": ["newDevice"], "reason": "the identity stays on the device"]])
}

extension Form where Value == Set<Scenario.ExploredAct> {
  /// An act, or all.
  fileprivate static var explored: Form {
    let acts = Scenario.ExploredAct.allCases
    return word(acts.map { ($0.rawValue, [$0]) } + [("all", Set(acts))])
  }
}
