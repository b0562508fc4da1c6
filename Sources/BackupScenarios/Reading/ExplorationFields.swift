import BackupDiagnostics

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
