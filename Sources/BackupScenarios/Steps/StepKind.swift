import BackupDiagnostics

/// A kind of step in scenario files: its keys, its texts in the schema and the documentation, and
/// its reader.
package struct StepKind: Sendable {
  package let keyword: StepKeyword
  /// The field whose key is the step's keyword.
  package let keywordField: any DeclaredField
  /// The description of the step in the schema and the documentation.
  package let meaning: String
  let examples: [Schema]
  /// The fields that are specific to this kind, except ``keywordField``.
  package let otherFields: [any DeclaredField]
  /// All fields that a step of this kind may have.
  private let permittedFields: [any DeclaredField]
  /// The permitted fields, and fields that report a key which only other kinds of step may have.
  let fields: [any DeclaredField]
  let keyRules: [KeyRule]
  /// Returns advice on an unknown key. nil for most kinds: the message then lists the kind's keys.
  let adviceOnUnknownKey: (@Sendable (String) -> String)?
  /// Reads the action of a step. Returns nil if mistakes leave nothing to run.
  let readAction: @Sendable (ObjectReader) -> StepAction?

  init(
    _ keyword: StepKeyword, _ subject: any DeclaredField, _ meaning: String, examples: [Schema],
    beside others: [any DeclaredField] = [], keyRules: [KeyRule] = [],
    adviceOnUnknownKey: (@Sendable (String) -> String)? = nil,
    readAction: @escaping @Sendable (ObjectReader) -> StepAction?
  ) {
    self.keyword = keyword
    self.keywordField = subject
    self.meaning = meaning
    self.examples = examples
    self.otherFields = others
    let (permittedFields, refusingFields) = Self.appFields(of: keyword)
    self.permittedFields = [subject] + others + permittedFields + Self.conditionFields
    self.fields = self.permittedFields + refusingFields
    self.keyRules = keyRules
    self.adviceOnUnknownKey = adviceOnUnknownKey
    self.readAction = readAction
  }

  package var actor: StepActor { keyword.traits.actor }

  /// Returns the fields of app steps that a kind of step permits or refuses, such as `in`, `throws`
  /// and `killed`. A step that only launches the app permits none of them, except `killed` and
  /// `storageFull`.
  private static func appFields(
    of keyword: StepKeyword
  ) -> (permitted: [any DeclaredField], refusing: [any DeclaredField]) {
    let isOfApp = keyword.traits.actor == .app
    let fields: [(isPermitted: Bool, field: any DeclaredField, refusal: any DeclaredField)] = [
      (
        keyword.traits.contains(.mayBeOfExtension), Scenario.Step.extensionField,
        Scenario.Step.refusedExtensionField
      ),
      (isOfApp, ExpectedFailure.field, ExpectedFailure.refusedField),
      (isOfApp, Scenario.Step.mayThrowField, Scenario.Step.refusedMayThrowField),
      (isOfApp, Scenario.Step.ifLockedField, Scenario.Step.refusedIfLockedField),
      (
        isOfApp || keyword.traits.contains(.onlyLaunchesApp), Scenario.InterruptionPoint.field,
        Scenario.InterruptionPoint.refusedField
      ),
      (
        !keyword.traits.isDisjoint(with: [.runsCode, .onlyLaunchesApp]),
        Scenario.InterruptionPoint.storageFullField,
        Scenario.InterruptionPoint.refusedStorageFullField
      ),
    ]
    return (
      fields.filter(\.isPermitted).map(\.field), fields.filter { !$0.isPermitted }.map(\.refusal)
    )
  }

  /// The fields that limit a step to some iOS versions or app versions.
  private static let conditionFields: [any DeclaredField] = [
    Scenario.Step.systemsField, Scenario.Step.appVersionsField,
  ]

  var schema: Schema {
    let head: Schema = ["description": .text(meaning), "examples": .list(examples)]
    return head.adding(Schema(of: permittedFields, keyRules))
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
      "anyOf": [appStepSchema, systemStepSchema, assertionSchema],
    ])

  static let launchSchema = Schema.named(
    "launchStep",
    [
      "description":
        "One thing that the app does at every start, or an assertion; no step of the system.",
      "anyOf": [appStepSchema, assertionSchema],
    ])

  private static let appStepSchema = schemaOfKinds("appStep", of: .app, "What the app does.")
  private static let systemStepSchema = schemaOfKinds(
    "systemStep", of: .system, "What the system does.")
  private static let assertionSchema = schemaOfKinds(
    "assertion", of: .observer, "Assertions, which change nothing.")

  /// Returns the schema of all kinds of step that an actor performs.
  private static func schemaOfKinds(
    _ name: String, of actor: StepActor, _ meaning: String
  ) -> Schema {
    let kinds = all.filter { $0.actor == actor }.map { kind in
      Schema.named("\(kind.keyword.rawValue)Step", kind.schema)
    }
    return .named(name, ["description": .text(meaning), "anyOf": .list(kinds)])
  }
}
