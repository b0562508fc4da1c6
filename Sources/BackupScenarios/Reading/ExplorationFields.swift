import BackupJSON5

extension Scenario.ExplorationOptions {
  private static let firstStepField = Field<Int>(
    "from", .ordinal(upTo: ScenarioReader.maximumStepCount),
    default: .inWords("the step after the last 'updateApp', or step 1"),
    "The number of a step. 'explore' injects events only before this step and before later steps.")
  private static let excludedEventsField = Field<[Set<Scenario.InjectableEvent>]>(
    "without", .excludedEvents,
    default: .inWords("nothing"),
    "The system events that 'explore' does not inject. all: 'explore' skips the scenario.")
  private static let updatesKeepField = Field<[UpdateLoss]>(
    "updatesKeep",
    .oneOrMore(of: .word(of: UpdateLoss.self, named: "part"), named: "part", distinctAs: "part"),
    default: .inWords("nothing"),
    "What the app relies on an update to keep, though no source says so. 'explore' still tries such "
      + "updates, but gives no advice on them for this app.")
  private static let reasonField = Field<String>(
    "reason",
    .nonblankString("the reason, in a sentence", of: "reason"),
    default: .required, "The reason for the other keys.")

  /// The keys that change the exploration. `explore` must have at least one of them.
  private static let settingFields: [any DeclaredField] = [
    firstStepField, excludedEventsField, updatesKeepField,
  ]
  private static let settingNames = settingFields.map { "'\($0.key)'" }.joined(separator: ", ")

  static let field = Field<Scenario.ExplorationOptions>(
    "explore",
    .object(
      "{ from: 3, without: [\"newDevice\"], reason: \"…\" }",
      settingFields + [reasonField], [.atLeastOne(of: settingFields)]
    ) { object in
      if settingFields.allSatisfy({ object[$0.key] == nil }) {
        object.reader.report("'explore' changes nothing; add one of \(settingNames)")
      }
      guard let reason = object[reasonField] else { return nil }
      return Scenario.ExplorationOptions(
        firstStepNumber: object[firstStepField],
        excludedEvents: Set((object[excludedEventsField] ?? []).flatMap(\.self)),
        partsKeptByUpdates: Set(object[updatesKeepField] ?? []), reason: reason)
    }, default: .inWords("nothing"),
    "What 'explore' leaves out in this scenario, or need not advise on, and why.",
    examples: [["from": 3, "without": ["newDevice"], "reason": "the identity stays on the device"]])
}

extension Form where Value == [Set<Scenario.InjectableEvent>] {
  /// The form of the system events that exploration does not inject. `all` must be the only
  /// element.
  fileprivate static var excludedEvents: Form {
    let allEvents = Scenario.InjectableEvent.allCases
    let names = allEvents.map(\.rawValue)
    let eventForm = Form<Set<Scenario.InjectableEvent>>.word(
      allEvents.map { ($0.rawValue, [$0]) } + [("all", Set(allEvents))], named: "system event"
    )
    return oneOrMore(of: eventForm, named: "system event", distinctAs: "event").map {
      events, reader in
      refuseAllBesideOthers(events, reader)
      return events
    }.described(by: [
      "anyOf": [
        eventForm.schema,
        [
          "type": "array", "items": ["enum": .texts(names)], "minItems": 1, "uniqueItems": true,
        ],
        ["const": ["all"]],
      ]
    ])
  }

  /// Reports `all` in a list with other events.
  private static func refuseAllBesideOthers(_ events: Value, _ reader: ValueReader) {
    guard case .array(let elements) = reader.value.kind, Set(events).count > 1 else { return }
    for element in elements where element.kind == .string("all") {
      reader.reader(of: element).report(
        "'all' includes every event; remove it, or remove the others")
    }
  }
}
