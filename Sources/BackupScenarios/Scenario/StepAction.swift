import BackupFileTree

/// What a kind of step does; adding one means one file and one line in ``Scenario/Step/kinds``.
protocol StepAction: Sendable {
  static var declaration: StepDeclaration { get }

  /// Reads it from a step's fields; nil when the mistakes that were noted leave nothing to run.
  init?(reading step: ObjectReader)

  /// What it does, in a few words.
  var summary: String { get }

  /// The label of the backup that it takes; nil where it takes none.
  var backupLabel: String? { get }

  /// The label of the backup whose files it needs, as for a restore; nil where it needs none.
  var neededLabel: String? { get }

  /// Whether it runs code of the app's own, of which the kit sees only what it leaves.
  static var runsCode: Bool { get }

  /// The system that it brings the device to; nil where it leaves the one that it has.
  var laterSystem: NamedSystem? { get }

  /// Whether it asks what the latest backup holds.
  var needsBackup: Bool { get }

  /// Whether it starts the app where that does not run.
  var startsApp: Bool { get }

  /// Whether it can be done only where the app is on the device.
  var needsApp: Bool { get }

  /// What it does to the app's being on the device; nil where it leaves that as it is.
  var installation: AppInstallation? { get }

  /// Whether it brings a new version of the app.
  var updatesApp: Bool { get }

  /// Whether it restores a backup that is in a folder.
  var restoresFolder: Bool { get }

  /// The name of the action that it performs; nil where it performs none.
  var actionName: String? { get }

  /// The item that is left as it is if the step is done again and nothing has touched the item since;
  /// nil for a step that touches others, or does something else the second time.
  var repeatablePath: ContainerPath? { get }

  func perform(in run: inout ScenarioRun) async throws(StepFailure)
}

extension StepAction {
  /// The key by which a scenario file names it.
  static var keyword: String { declaration.subject.key }

  static var actor: StepActor { declaration.actor }

  static var runsCode: Bool { false }

  var backupLabel: String? { nil }
  var neededLabel: String? { nil }
  var laterSystem: NamedSystem? { nil }
  var needsBackup: Bool { false }
  var startsApp: Bool { Self.actor == .app }
  var needsApp: Bool { Self.actor == .app }
  var installation: AppInstallation? { nil }
  var updatesApp: Bool { false }
  var restoresFolder: Bool { false }
  var actionName: String? { nil }
  var repeatablePath: ContainerPath? { nil }
}

enum StepActor: Hashable, Sendable {
  /// The app, which is started for it where it does not run.
  case app
  case system
  /// Nobody: the step only looks.
  case observer
}

/// What a step does to the app's being on the device.
enum AppInstallation: Hashable, Sendable {
  case offloads
  case installs
}

/// The keys of a kind of step, and what schema and documentation say of it.
struct StepDeclaration: Sendable {
  let subject: any DeclaredField
  let actor: StepActor
  /// What it does, in a sentence or two.
  let meaning: String
  let examples: [Schema]
  /// The keys beside the keyword, without `throws` and those beside it and `on`, which are every
  /// step's.
  let others: [any DeclaredField]
  /// What has to hold between the keys.
  let rules: [KeyRule]

  /// The declaration of a kind of step.
  init(
    _ subject: any DeclaredField, by actor: StepActor, _ meaning: String, examples: [Schema],
    beside others: [any DeclaredField] = [], rules: [KeyRule] = []
  ) {
    self.subject = subject
    self.actor = actor
    self.meaning = meaning
    self.examples = examples
    self.others = others
    self.rules = rules
  }

  /// How a step of the app may end otherwise than by doing what it says.
  private static let ends: [any DeclaredField] = [
    ExpectedFailure.field, Scenario.Step.mayThrowField, Scenario.KillPoint.field,
  ]
  /// The same keys where a step is not the app's.
  private static let refusedEnds: [any DeclaredField] = [
    ExpectedFailure.refusedField, Scenario.Step.refusedMayThrowField,
    Scenario.KillPoint.refusedField,
  ]

  /// All keys, as they are read; one that is not the app's refuses to say how it may end.
  var fields: [any DeclaredField] {
    [subject] + others + (actor == .app ? Self.ends : Self.refusedEnds)
      + [Scenario.Step.systemsField]
  }

  var schema: Schema {
    let ends = actor == .app ? Self.ends : []
    let fields = [subject] + others + ends + [Scenario.Step.systemsField]
    let head: Schema = ["description": .text(meaning), "examples": .list(examples)]
    return head.adding(Schema(of: fields, rules))
  }
}
