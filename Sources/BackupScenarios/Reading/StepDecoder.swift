import BackupDiagnostics
import BackupFileTree
import BackupJSON5

extension Form where Value == [Scenario.Step?] {
  /// Returns the form of a list of steps, with nil for each step that could not be read.
  static func steps(areLaunchSteps isLaunch: Bool) -> Form {
    let maximumCount = ScenarioReader.maximumStepCount
    return Form(
      expected: "a list of steps", words: "list of steps",
      schema: [
        "type": "array", "items": isLaunch ? StepKind.launchSchema : StepKind.stepSchema,
        "maxItems": .number(Double(maximumCount)),
      ]
    ) { list in
      guard let values = list.elements(of: "steps") else { return nil }
      if values.count > maximumCount {
        return values[0].refuse(
          "there are \(values.count) steps; at most \(maximumCount) are allowed")
      }
      return values.enumerated().map { index, reader in
        StepKind.read(reader, isLaunch ? .launch(index + 1) : .step(index + 1))
      }
    }
  }
}

extension StepKind {
  /// Reads a step, or reports its mistakes. One of the keys is the keyword, which determines the
  /// kind of the step. The kind has the fields for the other keys.
  static func read(
    _ reader: ValueReader, _ number: Scenario.StepReference.Number
  ) -> Scenario.Step? {
    let expected = "a step such as { save: \"Documents/a.txt\", size: \"1 KB\" }"
    guard let object = ObjectReader(reader, expected: expected), let kind = kind(of: object)
    else { return nil }
    if case .launch = number, kind.actor == .system {
      return reader.refuse(
        "'\(kind.keyword.rawValue)' is a step of the system, and 'launch' can only have steps of the app; "
          + "move it to 'steps'")
    }
    let stepReader = object.reading(kind.fields, adviceOnUnknownKey: kind.adviceOnUnknownKey)
    guard let action = kind.readAction(stepReader) else { return nil }
    let identifier = stepReader[Scenario.Step.extensionField]
    if let identifier {
      kind.refuseStepImpossibleInExtension(action, number, identifier, stepReader)
    }
    let reference = Scenario.StepReference(
      number: number, position: reader.position,
      summary: action.summary + (identifier.map { " in \($0)" } ?? ""))
    let systemsField = Scenario.Step.systemsField
    let systems = stepReader[systemsField].map { systems in
      Scenario.Located(
        value: Set(systems.map(\.version)), position: object.keyPosition(systemsField.key))
    }
    var scenarioStep = Scenario.Step(
      action, as: reference, on: systems, failing: stepReader[ExpectedFailure.field])
    let versionsField = Scenario.Step.appVersionsField
    scenarioStep.extensionIdentifier = identifier
    scenarioStep.appVersions = stepReader[versionsField].map {
      Scenario.Located(value: $0, position: object.keyPosition(versionsField.key))
    }
    scenarioStep.interruptionPoint =
      stepReader[Scenario.InterruptionPoint.field]
      ?? stepReader[Scenario.InterruptionPoint.storageFullField]
    if stepReader[Scenario.InterruptionPoint.field] != nil,
      stepReader[Scenario.InterruptionPoint.storageFullField] != nil
    {
      object.reader.collector.report(
        "'killed' and 'storageFull' cannot both end the step; make two scenarios",
        at: object.keyPosition(Scenario.InterruptionPoint.storageFullField.key))
      return nil
    }
    if let point = scenarioStep.interruptionPoint, scenarioStep.mustFail {
      let field =
        point.isStorageFull
        ? Scenario.InterruptionPoint.storageFullField : Scenario.InterruptionPoint.field
      object.reader.collector.report(
        "'throws' requires the step to fail, but '\(field.key)' decides how it ends; keep one",
        at: object.keyPosition(field.key))
      return nil
    }
    scenarioStep.mayThrow = stepReader[Scenario.Step.mayThrowField] ?? false
    scenarioStep.ifLocked = stepReader[Scenario.Step.ifLockedField]
    if scenarioStep.ifLocked == .wait, !reference.isOfLaunch {
      object.reader.collector.report(
        "'wait' is only for steps of 'launch'; put this step behind the 'unlock'",
        at: object.keyPosition(Scenario.Step.ifLockedField.key))
    }
    return scenarioStep
  }

  /// Reports a step that an extension cannot perform. An extension cannot reach the container of
  /// the app or of another extension, and does not know the path of the app's container. The app's
  /// launch starts no extension, so in `launch`, only `perform` can be a step of an extension.
  private func refuseStepImpossibleInExtension(
    _ action: StepAction, _ number: Scenario.StepReference.Number, _ identifier: String,
    _ stepReader: ObjectReader
  ) {
    for case let field as Field<ContainerPath> in [keywordField] + otherFields {
      guard let path = stepReader[field], !path.isReachable(byExtension: identifier) else {
        continue
      }
      stepReader[field.key]?.report(
        "the extension '\(identifier)' cannot reach '\(path)', only its own container and those of groups; begin the "
          + "path with '\(identifier):/', or remove 'in'")
    }
    if action.hasContainerPlaceholder {
      stepReader.reader.report(
        "{container} stands for the path of the app's own container, which an extension does not know"
      )
    }
    if case .launch = number, !keyword.traits.contains(.runsCode) {
      stepReader.reader.collector.report(
        "the app's launch starts no extension; move the step to 'steps'",
        at: stepReader.keyPosition(Scenario.Step.extensionField.key))
    }
  }

  /// Words that users may write by mistake, each with the keyword to write.
  private static let synonyms = [
    "delete": "remove", "unlink": "remove", "trash": "remove", "write": "save", "store": "save",
    "load": "read", "open": "read", "rename": "move", "duplicate": "copy", "symlink": "link",
    "mkdir": "createDirectory", "mark": "exclude", "unmark": "include", "update": "updateApp",
    "upgrade": "updateSystem", "reboot": "restart", "launch": "relaunch", "terminate": "kill",
    "quit": "kill",
    "uninstall": "offload", "install": "reinstall", "put": "place", "import": "place",
    "assert": "expectFiles", "expect": "expectFiles",
  ]

  /// The keys that do not determine the kind of a step, because many kinds have them.
  private static let sharedKeys = [
    Scenario.Step.extensionField.key, Scenario.Step.systemsField.key,
    Scenario.Step.appVersionsField.key, Scenario.Step.mayThrowField.key,
    Scenario.Step.ifLockedField.key, ExpectedFailure.field.key,
    Scenario.InterruptionPoint.field.key, Scenario.InterruptionPoint.storageFullField.key,
  ]

  /// Returns the kind of step that an object's keyword names, or reports a mistake.
  private static func kind(of object: ObjectReader) -> StepKind? {
    let stepKeys = object.keys.filter(keywords.contains)
    if stepKeys.count > 1 {
      object.reader.collector.report(
        "a step does one thing, but '\(stepKeys[0])' and '\(stepKeys[1])' are both given; make two steps",
        at: object.keyPosition(stepKeys[1]))
      return nil
    }
    if let keyword = stepKeys.first.flatMap(StepKeyword.init) { return .named(keyword) }
    guard let key = object.keys.first(where: { !sharedKeys.contains($0) }) else {
      let problem = object.keys.first.map { "has only '\($0)'" } ?? "is empty"
      return object.reader.refuse(
        "the step \(problem); name what happens, such as { backup: \"after login\" }")
    }
    let advice = NearestWord.advice(for: key, in: keywords, synonyms: synonyms)
    object.reader.collector.report(
      "unknown step '\(key.escapedExcerpt)'; \(advice)", at: object.keyPosition(key))
    return nil
  }
}

extension Scenario.Step {
  /// Creates a step that replaces another step, and takes over its number and position.
  package init(_ action: StepAction, inPlaceOf reference: Scenario.StepReference) {
    self.init(
      action,
      as: Scenario.StepReference(
        number: reference.number, position: reference.position, summary: action.summary))
  }

  /// Returns the same step with another number in `steps`.
  package func numbered(_ number: Int) -> Scenario.Step {
    var step = self
    step.reference = Scenario.StepReference(
      number: .step(number), position: reference.position, summary: reference.summary)
    return step
  }
}
