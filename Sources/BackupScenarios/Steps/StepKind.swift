extension Scenario.Step {
  /// The kinds of steps, in the order the documentation lists them.
  static let kinds: [any StepAction.Type] = [
    CreateDirectoryStep.self, SaveStep.self, AppendStep.self, ExcludeStep.self, IncludeStep.self,
    MoveStep.self, CopyStep.self, RemoveStep.self, LinkStep.self, ReadStep.self,
    SetDefaultStep.self,
    ReadDefaultStep.self, PerformStep.self,
    RunStep.self, BackupStep.self, PurgeStep.self, UpdateAppStep.self, UpdateSystemStep.self,
    RestoreStep.self, PlaceStep.self, OffloadStep.self, ReinstallStep.self, KillStep.self,
    RelaunchStep.self, ExpectFileStep.self, ExpectFilesStep.self, ExpectBackupStep.self,
  ]

  /// The keys that name a step.
  static let keywords = kinds.map { $0.keyword }

  /// What a schema says of a step of `steps`.
  static let schema = Schema.named(
    "step",
    [
      "description": "One thing that happens: a step of the app or of the system, or an assertion.",
      "anyOf": [ofApp, ofSystem, ofObserver],
    ])

  /// What a schema says of a step of `launch`.
  static let launchSchema = Schema.named(
    "launchStep",
    [
      "description":
        "One thing that the app does at every start, or an assertion; nothing of the system's.",
      "anyOf": [ofApp, ofObserver],
    ])

  private static let ofApp = choice("appStep", of: .app, "What the app does.")
  private static let ofSystem = choice("systemStep", of: .system, "What the system does.")
  private static let ofObserver = choice(
    "assertion", of: .observer, "What must be so now; nothing happens.")

  private static func choice(_ name: String, of actor: StepActor, _ meaning: String) -> Schema {
    let kinds = kinds.filter { $0.actor == actor }.map { kind in
      Schema.named("\(kind.keyword)Step", kind.declaration.schema)
    }
    return .named(name, ["description": .text(meaning), "anyOf": .list(kinds)])
  }
}
