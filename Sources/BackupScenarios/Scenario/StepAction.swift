import BackupFileTree

/// What a step of a scenario does, as its kind has read it.
struct StepAction: Sendable {
  let summary: String
  /// The keyword of its kind.
  fileprivate(set) var keyword = ""
  fileprivate(set) var actor = StepActor.system
  var object = StepObject.nothing
  /// The traits of its kind, with those of its own.
  fileprivate(set) var traits: StepTraits
  let perform: @Sendable (inout ScenarioRun) async throws(StepFailure) -> Void

  init(
    summary: String, of object: StepObject = .nothing, _ traits: StepTraits = [],
    perform: @escaping @Sendable (inout ScenarioRun) async throws(StepFailure) -> Void
  ) {
    (self.summary, self.object, self.traits) = (summary, object, traits)
    self.perform = perform
  }
}

/// The traits by which the order of steps is checked and steps are explored.
struct StepTraits: OptionSet, Sendable {
  let rawValue: Int

  /// It starts the app where that does not run.
  static let startsApp = StepTraits(rawValue: 1 << 0)
  /// It can be done only where the app is on the device.
  static let needsApp = StepTraits(rawValue: 1 << 1)
  /// Code of the app's own runs, of which the kit sees only what it leaves.
  static let runsCode = StepTraits(rawValue: 1 << 2)
  /// It does nothing but start the app: a kill may come within it, as in the app's own steps.
  static let isStart = StepTraits(rawValue: 1 << 3)
  /// The app is on the device afterwards.
  static let installsApp = StepTraits(rawValue: 1 << 4)
  /// The app is off the device afterwards.
  static let removesApp = StepTraits(rawValue: 1 << 5)
  static let updatesApp = StepTraits(rawValue: 1 << 6)
  static let restoresFolder = StepTraits(rawValue: 1 << 7)
  static let needsBackup = StepTraits(rawValue: 1 << 8)
  /// It changes nothing where the item is there.
  static let onlyReads = StepTraits(rawValue: 1 << 9)

  /// The traits of most steps of the app.
  static let ofApp: StepTraits = [.startsApp, .needsApp]
}

/// The thing that a step is about, as far as other steps depend on it.
enum StepObject: Sendable {
  case nothing
  /// The label of the backup that it takes.
  case backup(String)
  /// The label of the backup whose files it needs, as for a restore.
  case neededBackup(String)
  /// The system that it brings the device to.
  case laterSystem(NamedSystem)
  /// The name of the action that it performs.
  case action(String)
  case item(ContainerPath, ItemUse)

  struct ItemUse: OptionSet, Sendable {
    let rawValue: Int

    /// The item must exist, other than to be read.
    static let needed = ItemUse(rawValue: 1 << 0)
    /// The item is left as it is if the step is done again and nothing has touched the item since, and no
    /// other item is touched.
    static let repeatable = ItemUse(rawValue: 1 << 1)
  }
}

extension StepAction {
  var backupLabel: String? {
    if case .backup(let label) = object { label } else { nil }
  }

  var neededLabel: String? {
    if case .neededBackup(let label) = object { label } else { nil }
  }

  var laterSystem: NamedSystem? {
    if case .laterSystem(let system) = object { system } else { nil }
  }

  var actionName: String? {
    if case .action(let name) = object { name } else { nil }
  }

  var repeatablePath: ContainerPath? { path(usedAs: .repeatable) }

  var usedPath: ContainerPath? { path(usedAs: .needed) }

  private func path(usedAs use: StepObject.ItemUse) -> ContainerPath? {
    if case .item(let path, let uses) = object, uses.contains(use) { path } else { nil }
  }
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
  let traits: StepTraits
  private let read: @Sendable (ObjectReader) -> StepAction?

  /// A kind of step; `read` gives nil if the mistakes that were noted leave nothing to run.
  init(
    _ subject: any DeclaredField, by actor: StepActor, _ meaning: String, examples: [Schema],
    beside others: [any DeclaredField] = [], rules: [KeyRule] = [], _ traits: StepTraits? = nil,
    read: @escaping @Sendable (ObjectReader) -> StepAction?
  ) {
    self.subject = subject
    self.actor = actor
    self.meaning = meaning
    self.examples = examples
    self.others = others
    self.rules = rules
    self.traits = traits ?? (actor == .app ? .ofApp : [])
    self.read = read
  }

  var keyword: String { subject.key }

  func action(reading step: ObjectReader) -> StepAction? {
    var action = read(step)
    action?.keyword = keyword
    action?.actor = actor
    action?.traits.formUnion(traits)
    return action
  }

  /// How a step of the app may end otherwise than by doing what it says; a start can only be killed, and
  /// other steps refuse the keys.
  private var ends: [any DeclaredField] {
    let isOfApp = actor == .app
    return [
      isOfApp ? ExpectedFailure.field : ExpectedFailure.refusedField,
      isOfApp ? Scenario.Step.mayThrowField : Scenario.Step.refusedMayThrowField,
      isOfApp || traits.contains(.isStart)
        ? Scenario.KillPoint.field : Scenario.KillPoint.refusedField,
      canFindStorageFull ? Scenario.KillPoint.fullField : Scenario.KillPoint.refusedFullField,
    ]
  }

  private var canFindStorageFull: Bool { !traits.isDisjoint(with: [.runsCode, .isStart]) }

  var fields: [any DeclaredField] { [subject] + others + ends + [Scenario.Step.systemsField] }

  var schema: Schema {
    let ends: [any DeclaredField] =
      actor == .app
      ? (canFindStorageFull ? ends : ends.dropLast())
      : traits.contains(.isStart) ? [Scenario.KillPoint.field, Scenario.KillPoint.fullField] : []
    let fields = [subject] + others + ends + [Scenario.Step.systemsField]
    let head: Schema = ["description": .text(meaning), "examples": .list(examples)]
    return head.adding(Schema(of: fields, rules))
  }
}
