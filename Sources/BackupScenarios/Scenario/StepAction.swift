import BackupFileTree

/// What a step of a scenario does, as its kind has read it.
struct StepAction: Sendable {
  let summary: String
  /// As the kind of the step says: its keyword, who acts, and whether code of the app's own runs, of
  /// which the kit sees only what it leaves.
  fileprivate(set) var keyword = ""
  fileprivate(set) var actor = StepActor.system
  fileprivate(set) var runsCode = false
  /// Whether it starts the app, and that is all it does.
  fileprivate(set) var isStart = false
  /// The label of the backup that it takes; nil where it takes none.
  var backupLabel: String?
  /// The label of the backup whose files it needs, as for a restore; nil where it needs none.
  var neededLabel: String?
  /// The system that it brings the device to; nil where it leaves the one that it has.
  var laterSystem: NamedSystem?
  var needsBackup = false
  /// Whether it starts the app, and whether it needs it; nil where that is as with most steps of its
  /// actor.
  var startsAppItself: Bool?
  var needsAppItself: Bool?
  /// Whether the app is on the device afterwards; nil where it leaves that as it is.
  var installsApp: Bool?
  var updatesApp = false
  var restoresFolder = false
  /// The name of the action that it performs; nil where it performs none.
  var actionName: String?
  /// Whether it only reads, and changes nothing where the item is there.
  var onlyReads = false
  /// The item that is left as it is if the step is done again and nothing has touched the item since;
  /// nil for a step that touches others, or does something else the second time.
  var repeatablePath: ContainerPath?
  /// The item that it needs to exist, other than to read it; nil for none.
  var usedPath: ContainerPath?
  let perform: @Sendable (inout ScenarioRun) async throws(StepFailure) -> Void

  /// Whether it starts the app where that does not run.
  var startsApp: Bool { startsAppItself ?? (actor == .app || isStart) }
  /// Whether it can be done only where the app is on the device.
  var needsApp: Bool { needsAppItself ?? (actor == .app) }
}

package enum StepActor: Hashable, Sendable {
  /// The app, which is started for it where it does not run.
  case app
  case system
  /// The kit: the step only checks.
  case observer
}

/// A kind of step: its keys, what schema and documentation say of it, and how it is read. Adding one
/// means one file and one word in ``all``.
package struct StepKind: Sendable {
  /// The field by whose key a scenario file names it.
  package let subject: any DeclaredField
  package let actor: StepActor
  package let meaning: String
  let examples: [Schema]
  /// The keys beside the keyword, without `throws` and those beside it and `on`, which are every
  /// step's.
  package let others: [any DeclaredField]
  /// What must hold between the keys.
  let rules: [KeyRule]
  let runsCode: Bool
  /// Whether it starts the app, and that is all it does: a kill may come within it, as in the app's own steps.
  let isStart: Bool
  private let read: @Sendable (ObjectReader) -> StepAction?

  /// A kind of step; `read` gives nil if the mistakes that were noted leave nothing to run.
  init(
    _ subject: any DeclaredField, by actor: StepActor, _ meaning: String, examples: [Schema],
    beside others: [any DeclaredField] = [], rules: [KeyRule] = [], runsCode: Bool = false,
    isStart: Bool = false,
    read: @escaping @Sendable (ObjectReader) -> StepAction?
  ) {
    self.subject = subject
    self.actor = actor
    self.meaning = meaning
    self.examples = examples
    self.others = others
    self.rules = rules
    self.runsCode = runsCode
    self.isStart = isStart
    self.read = read
  }

  var keyword: String { subject.key }

  func action(reading step: ObjectReader) -> StepAction? {
    var action = read(step)
    action?.keyword = keyword
    action?.actor = actor
    action?.runsCode = runsCode
    action?.isStart = isStart
    return action
  }

  /// How a step of the app may end otherwise than by doing what it says; a start can only be killed, and
  /// other steps refuse the keys.
  private var ends: [any DeclaredField] {
    let isOfApp = actor == .app
    return [
      isOfApp ? ExpectedFailure.field : ExpectedFailure.refusedField,
      isOfApp ? Scenario.Step.mayThrowField : Scenario.Step.refusedMayThrowField,
      isOfApp || isStart ? Scenario.KillPoint.field : Scenario.KillPoint.refusedField,
      canFindStorageFull ? Scenario.KillPoint.fullField : Scenario.KillPoint.refusedFullField,
    ]
  }

  private var canFindStorageFull: Bool { runsCode || isStart }

  var fields: [any DeclaredField] { [subject] + others + ends + [Scenario.Step.systemsField] }

  var schema: Schema {
    let ends: [any DeclaredField] =
      actor == .app
      ? (canFindStorageFull ? ends : ends.dropLast())
      : isStart ? [Scenario.KillPoint.field, Scenario.KillPoint.fullField] : []
    let fields = [subject] + others + ends + [Scenario.Step.systemsField]
    let head: Schema = ["description": .text(meaning), "examples": .list(examples)]
    return head.adding(Schema(of: fields, rules))
  }
}
