import BackupDiagnostics

/// A kind of step as scenario files have it: its keys, what schema and documentation say of it, and how it
/// is read.
package struct StepKind: Sendable {
  package let keyword: StepKeyword
  /// The field by whose key a scenario file names it.
  package let subject: any DeclaredField
  package let meaning: String
  let examples: [Schema]
  /// The keys beside the keyword that no other kind has.
  package let others: [any DeclaredField]
  /// The keys that the step may have.
  private let permitted: [any DeclaredField]
  /// All keys that are read: those that only other steps have say so.
  let fields: [any DeclaredField]
  let rules: [KeyRule]
  /// Says what to write in place of a key that no step has; nil for the list of the keys.
  let adviceOnUnknownKey: (@Sendable (String) -> String)?
  /// Reads a step; nil if the mistakes that were noted leave nothing to run.
  let action: @Sendable (ObjectReader) -> StepAction?

  init(
    _ keyword: StepKeyword, _ subject: any DeclaredField, _ meaning: String, examples: [Schema],
    beside others: [any DeclaredField] = [], rules: [KeyRule] = [],
    adviceOnUnknownKey: (@Sendable (String) -> String)? = nil,
    action: @escaping @Sendable (ObjectReader) -> StepAction?
  ) {
    self.keyword = keyword
    self.subject = subject
    self.meaning = meaning
    self.examples = examples
    self.others = others
    let (ends, refused) = Self.ends(of: keyword)
    self.permitted = [subject] + others + ends + Self.conditions
    self.fields = permitted + refused
    self.rules = rules
    self.adviceOnUnknownKey = adviceOnUnknownKey
    self.action = action
  }

  package var actor: StepActor { keyword.traits.actor }

  /// The keys that say who does a step of the app and how it may fail or be interrupted, and those that are
  /// refused: a start can only be interrupted.
  private static func ends(
    of keyword: StepKeyword
  ) -> (permitted: [any DeclaredField], refused: [any DeclaredField]) {
    let isOfApp = keyword.traits.actor == .app
    let keys: [(isPermitted: Bool, field: any DeclaredField, refused: any DeclaredField)] = [
      (
        keyword.traits.contains(.mayBeOfExtension), Scenario.Step.extensionField,
        Scenario.Step.refusedExtensionField
      ),
      (isOfApp, ExpectedFailure.field, ExpectedFailure.refusedField),
      (isOfApp, Scenario.Step.mayThrowField, Scenario.Step.refusedMayThrowField),
      (isOfApp, Scenario.Step.ifLockedField, Scenario.Step.refusedIfLockedField),
      (
        isOfApp || keyword.traits.contains(.isStart), Scenario.KillPoint.field,
        Scenario.KillPoint.refusedField
      ),
      (
        !keyword.traits.isDisjoint(with: [.runsCode, .isStart]), Scenario.KillPoint.fullField,
        Scenario.KillPoint.refusedFullField
      ),
    ]
    return (
      keys.filter(\.isPermitted).map(\.field), keys.filter { !$0.isPermitted }.map(\.refused)
    )
  }

  private static let conditions: [any DeclaredField] = [
    Scenario.Step.systemsField, Scenario.Step.appVersionsField,
  ]

  var schema: Schema {
    let head: Schema = ["description": .text(meaning), "examples": .list(examples)]
    return head.adding(Schema(of: permitted, rules))
  }
}

extension StepKind {
  package static let all = StepKeyword.allCases.map(StepKind.named)

  package static func named(_ keyword: StepKeyword) -> StepKind {
    switch keyword {
    case .createDirectory: createDirectory
    case .save: save
    case .append: append
    case .exclude: exclude
    case .include: include
    case .move: move
    case .copy: copy
    case .remove: remove
    case .link: link
    case .read: read
    case .setDefault: setDefault
    case .readDefault: readDefault
    case .setKeychainItem: setKeychainItem
    case .readKeychainItem: readKeychainItem
    case .removeKeychainItem: removeKeychainItem
    case .perform: perform
    case .run: run
    case .backup: backup
    case .purge: purge
    case .updateApp: updateApp
    case .updateSystem: updateSystem
    case .restore: restore
    case .place: place
    case .offload: offload
    case .reinstall: reinstall
    case .kill: kill
    case .restart: restart
    case .lock: lock
    case .unlock: unlock
    case .relaunch: relaunch
    case .expectFile: expectFile
    case .expectFiles: expectFiles
    case .expectBackup: expectBackup
    }
  }

  static let keywords = StepKeyword.allCases.map(\.rawValue)

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
      Schema.named("\(kind.keyword.rawValue)Step", kind.schema)
    }
    return .named(name, ["description": .text(meaning), "anyOf": .list(kinds)])
  }
}
