extension StepKind {
  /// The kinds of steps, in the order the documentation lists them.
  package static let all: [StepKind] = [
    createDirectory, save, append, exclude, include, move, copy, remove, link, read, setDefault,
    readDefault, setKeychainItem, readKeychainItem, perform, run, backup, purge, updateApp,
    updateSystem, restore, place, offload,
    reinstall, kill, relaunch, expectFile, expectFiles, expectBackup,
  ]

  static let keywords = all.map(\.keyword)

  static let stepSchema = Schema.named(
    "step",
    [
      "description": "One thing that happens: a step of the app or of the system, or an assertion.",
      "anyOf": [ofApp, ofSystem, ofObserver],
    ])

  static let launchSchema = Schema.named(
    "launchStep",
    [
      "description":
        "One thing that the app does at every start, or an assertion; no step of the system.",
      "anyOf": [ofApp, ofObserver],
    ])

  private static let ofApp = choice("appStep", of: .app, "What the app does.")
  private static let ofSystem = choice("systemStep", of: .system, "What the system does.")
  private static let ofObserver = choice(
    "assertion", of: .observer, "Assertions, which change nothing.")

  private static func choice(_ name: String, of actor: StepActor, _ meaning: String) -> Schema {
    let kinds = all.filter { $0.actor == actor }.map { kind in
      Schema.named("\(kind.keyword)Step", kind.schema)
    }
    return .named(name, ["description": .text(meaning), "anyOf": .list(kinds)])
  }
}
