public import BackupCollections
public import BackupContainer
public import BackupDevice
package import BackupDiagnostics
public import BackupFileTree

/// What happened in one run of a scenario: every step, in order, with the container after it.
///
/// It knows nothing of golden files or output formats; rules and reports read it.
public struct Transcript: Sendable {
  /// The scenario that was run; of a test's session, one that only has its settings.
  @Boxed public private(set) var scenario: Scenario
  /// The system and backup kind it ran under.
  public let variant: Scenario.Variant
  /// The container before the first step.
  public internal(set) var firstTree: FileTree
  /// What happened, in the order in which the kit noticed it.
  public internal(set) var entries: [Entry] = []
  /// The step that failed and ended the run, with why; nil for a run to the end.
  public internal(set) var failure: Failure?
  /// What bound actions made of their arguments, by where these stand in the file.
  package private(set) var argumentUses: [SourcePosition: ArgumentUse] = [:]

  /// Adds the classes that all scenarios and tests of the app have.
  mutating func add(shared files: FilePromises) throws(RunError) {
    scenario = try scenario.adding(shared: files)
  }

  /// A step that ended the run.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The step at which the run ended early.
    public let step: Scenario.StepReference
    /// Why the step failed, in a sentence.
    public let message: String
    package let outcome: StepFailure.Outcome
    /// Where the reason is in the scenario file: the step, or a value in it.
    package private(set) var position: SourcePosition
    /// The functions on the stack at the `throw` of the app's code, the innermost first, each as its
    /// return address relative to the start of the program; empty if they are not known.
    package private(set) var callers: [UInt64] = []

    /// The failure with its step: `step 5, save Documents/a.txt: no such file: 'Documents'`.
    public var description: String { "\(step.withSummary): \(message)" }

    init(step: Scenario.StepReference, message: String, outcome: StepFailure.Outcome) {
      (self.step, self.message, self.outcome) = (step, message, outcome)
      self.position = step.position
    }

    init(_ failure: StepFailure, at step: Scenario.StepReference) {
      self.init(step: step, message: failure.description, outcome: failure.outcome)
      self.position = failure.position ?? step.position
      self.callers = failure.callers
    }

    /// The failure of a step that a rule reports by an entry.
    package init(failedUseIn entry: Entry) {
      self.init(
        step: entry.step, message: entry.event.failedUse ?? "", outcome: .reported(.simulated))
    }
  }

  /// A step in which something may have happened that the kit does not see, with why.
  package struct Doubt: Sendable {
    package let step: Scenario.StepReference
    package let message: String
  }

  /// The steps whose code may have written elsewhere than to its container, with why: it, or other
  /// code that ran meanwhile.
  package internal(set) var doubts: [Doubt] = []

  /// The steps of the app's own code whose marks by Foundation the kit may not see: on Linux, those of
  /// modules without the shim.
  package internal(set) var stepsWithoutShim: Set<Scenario.StepReference.Number> = []
  package internal(set) var modulesWithShim: Set<String> = []

  /// Where the app's process kept temporary files, if that is not the container's `tmp`; the kit saw
  /// nothing of them.
  package internal(set) var sharedTemporaryFolder: String?

  /// An item that changed after the last step, when the app was let go on; nil if none did, or if nobody
  /// looked.
  package internal(set) var lateChange: ContainerPath?

  /// The calls by which the app's code changed items, in order; empty if its process is not tapped.
  package internal(set) var calls: [Call] = []

  package struct Call: Sendable {
    package let step: Scenario.StepReference
    package let call: ChangeCall
  }

  /// Whether the app has a home, where Foundation keeps files for it.
  var hasFilesOfFoundation = false

  /// Whether code of the app's own ran, whose files may be others in every run.
  package var runsCode: Bool { hasFilesOfFoundation || !scenario.stepsOfCode.isEmpty }

  /// What a golden file says of the run: of Foundation's files not the sizes, for they depend on its
  /// version and on what test runs.
  package var golden: GoldenOptions {
    hasFilesOfFoundation
      ? scenario.golden.leavingOutSizes(of: scenario.app.filesOfFoundation) : scenario.golden
  }

  /// The actions, by their steps, that left no trace and may not fail. One may have returned before its
  /// work was done, or only read, which the kit does not see.
  package var idleActions: [Scenario.StepReference] {
    let done = Set(entries.map(\.step.number))
    let traced = Set(entries.filter { $0.event.traits.contains(.trace) }.map(\.step.number))
    return scenario.steps.filter { $0.actionName != nil && !$0.mustFail && !$0.mayThrow }
      .map(\.reference).filter { done.contains($0.number) && !traced.contains($0.number) }
  }

  /// Notes what an action made of its arguments, which it may make more of another time.
  mutating func note(_ uses: [ArgumentUse]) {
    for use in uses {
      argumentUses[use.position] = argumentUses[use.position]?.merging(use) ?? use
    }
  }

  /// The container after the last step.
  public var lastTree: FileTree { entries.last?.tree ?? firstTree }

  /// The container before the first step of a number or a later one, with each file as the steps since then have
  /// left it last, also if a later one has removed it; nil if no such step was done.
  func tree(beforeStep number: Int) -> FileTree? {
    let first = entries.firstIndex { entry in
      if case .step(let other) = entry.step.number { other >= number } else { false }
    }
    guard let first else { return nil }
    var tree = first > 0 ? entries[first - 1].tree : firstTree
    tree.add(filesLeftBy: entries[first...])
    return tree
  }

  package var systemEntries: [Entry] { entries.filter(\.event.isBySystem) }
}

extension FileTree {
  /// Adds each file as some steps have left it last, also if a later one has removed it.
  mutating func add(filesLeftBy entries: some Sequence<Transcript.Entry>) {
    for entry in entries {
      guard case .changes(let changes) = entry.event else { continue }
      for change in changes where change.places {
        entry.tree[change.path]?.forEachItem(at: change.path) { path, item in
          guard item.size != nil else { return }
          if let parent = path.parent { ensureDirectory(parent) }
          insert(item, at: path)
        }
      }
    }
  }
}

extension Transcript {
  /// One thing that happened; copies share what it says.
  public struct Entry: Sendable {
    private struct Facts: Sendable {
      let step: Scenario.StepReference
      let event: Transcript.Event
      let tree: FileTree
      let profile: SystemProfile
      let keychain: KeychainItems
    }

    /// The circumstances in which something happens.
    package struct Circumstances: OptionSet, Sendable {
      package let rawValue: Int

      package init(rawValue: Int) { self.rawValue = rawValue }

      /// It comes of what the app does at each start, by a step of `launch` or by its code.
      package static let start = Circumstances(rawValue: 1 << 0)
      /// It is a part of a step in which the app is then killed.
      package static let killedStep = Circumstances(rawValue: 1 << 1)
      /// A write of the step fails because the storage is full.
      package static let fullStorage = Circumstances(rawValue: 1 << 2)
      /// Code of the app's own did it.
      package static let code = Circumstances(rawValue: 1 << 3)
      /// An extension of the app did it, in its own process.
      package static let inExtension = Circumstances(rawValue: 1 << 4)
    }

    @Boxed private var facts: Facts
    package let circumstances: Circumstances

    package init(
      step: Scenario.StepReference, event: Transcript.Event, tree: FileTree,
      profile: SystemProfile, keychain: KeychainItems = [:], in circumstances: Circumstances = []
    ) {
      self.facts = Facts(
        step: step, event: event, tree: tree, profile: profile, keychain: keychain)
      self.circumstances = step.isOfLaunch ? circumstances.union(.start) : circumstances
    }

    package var isOfStart: Bool { circumstances.contains(.start) }
    package var isOfKilledStep: Bool { circumstances.contains(.killedStep) }
    package var isOfCode: Bool { circumstances.contains(.code) }
    package var isOfExtension: Bool { circumstances.contains(.inExtension) }

    /// The step that made it happen.
    public var step: Scenario.StepReference { facts.step }
    /// What the app or the system did.
    public var event: Transcript.Event { facts.event }
    /// The container's files after the event.
    public var tree: FileTree { facts.tree }
    /// The system at that time.
    public var profile: SystemProfile { facts.profile }
    package var keychain: KeychainItems { facts.keychain }
  }

  /// Something that a run's transcript records.
  @nonexhaustive
  public enum Event: Sendable {
    case changes([FileTree.Change])
    /// The app set a mark on a path where nothing is.
    case markOnMissing(ContainerPath)
    /// The app used a mark that the system does not have, and did not handle the error.
    case markUnavailable(ContainerPath, ExclusionMark)
    /// The app read a file that is there, unchecked; by a step, since a bound action's reads are
    /// not seen.
    case read(ContainerPath)
    /// The app read a file that is not there, unchecked; with the app's own error, in words, where
    /// that wraps the one which says so.
    case readMissing(ContainerPath, wrappedIn: String?)
    /// The app read a file that the device's lock keeps from it, unchecked; by a step.
    case readLocked(ContainerPath)
    /// The app read a keychain item before the first unlock, unchecked.
    case lockedKeychainItem(String)
    /// The app took a file for missing that it could not read because the device is locked.
    case lockedTakenForMissing(ContainerPath)
    /// The app opened or wrote to a file, or into a directory, that is not there, unchecked; with
    /// the app's own error, as in ``readMissing(_:wrappedIn:)``.
    case writeToMissing(ContainerPath, wrappedIn: String?)
    /// The app moved, removed or otherwise used an item, unchecked, that iOS has taken away, or that
    /// is in tmp; by a step, since what a bound action looks for is not seen.
    case use(Use, of: ContainerPath, isMissing: Bool)
    /// The app set, read or removed a keychain item, or read one unchecked that is missing.
    case keychainItem(String, isMissing: Bool)
    /// The app read a file that it cannot decrypt, since the keychain item that encrypted it is missing or was set
    /// anew.
    case cannotDecrypt(ContainerPath, without: String)
    /// The app read a value that is bound to one device, which a restore brought from another.
    case valueOfOtherDevice(String)
    /// The app could not make an item, because one is there that it had made itself, in a step in which
    /// it was killed.
    case foundOwnRemnant(ContainerPath)
    /// The app used a path of a container that it had before; with the app's own error, as in
    /// ``readMissing(_:wrappedIn:)``.
    case staleURL(ContainerPath, wrappedIn: String?)
    /// The app made or wrote an item where a device refuses it, and was refused; with the app's own
    /// error, as in ``readMissing(_:wrappedIn:)``.
    case refused(ContainerPath, wrappedIn: String?)
    /// A link leads into a container that the app had before: the app used it, or it still stands
    /// there though the app ran; with the app's own error, as in ``readMissing(_:wrappedIn:)``.
    case staleLink(ContainerPath, isUsed: Bool, wrappedIn: String?)
    /// A file holds the container's own path, as it is or was; with the key that has it, if the file is
    /// a property list or JSON, and the step that set the key, if it is one of user defaults.
    case storedPath(ContainerPath, key: String?, setBy: Scenario.StepReference?)
    /// A file that is backed up names one that the system took or did not bring back, and that is still
    /// missing; with the key that has it, as in ``storedPath(_:key:setBy:)``.
    case namedMissing(
      ContainerPath, key: String?, setBy: Scenario.StepReference?, missing: ContainerPath)
    /// The app's own check failed at a start, with what it threw, after what the system did before that;
    /// with the item that the error names.
    case checkFailed(String, after: String, ContainerPath?)
    /// The app's own check passed at a start.
    case checkPassed
    /// A process of the app ended; what it printed, in escaped lines, empty for nothing.
    case output(String)
    case launch
    /// The app was killed within a step, as that says.
    case killed(Kill)
    /// The system did something, and took items or did not bring them back.
    case system(SystemEvent, lost: [FileTree.LostItem] = [])

    /// What the app does with an item that must exist, other than to read it.
    public enum Use: Hashable, Sendable {
      case append
      case copy
      /// It marks the item.
      case exclude
      /// It clears the item's mark.
      case include
      case move
      case remove
    }

    /// An app's end within a step.
    public struct Kill: Sendable {
      /// The change before which it came.
      package let point: Scenario.KillPoint
      /// The same activity without the kill; nil if it is unknown.
      package let activity: InterruptedActivity?
    }

    /// Whether the system did something with what the app has in its container; a file that the
    /// system puts there does not count.
    public var isBySystem: Bool { system.map { $0.placedFile == nil } ?? false }

    /// What rules, runs and reports ask of every kind of event.
    package struct Traits: OptionSet, Sendable {
      package let rawValue: Int

      package init(rawValue: Int) { self.rawValue = rawValue }

      /// The app did something, be it nothing but starting.
      package static let byApp = Traits(rawValue: 1 << 0)
      /// It shows that something was done which the kit can see.
      package static let trace = Traits(rawValue: 1 << 1)
      /// It set a mark where nothing is, or one that the system does not have.
      package static let markInVain = Traits(rawValue: 1 << 2)
      /// An app that catches the error has handled it.
      package static let handledByCatching = Traits(rawValue: 1 << 3)
    }

    package var traits: Traits {
      switch self {
      case .changes(let changes): changes.isEmpty ? .byApp : [.byApp, .trace]
      case .markOnMissing: [.byApp, .trace, .markInVain]
      case .markUnavailable: [.byApp, .trace, .markInVain, .handledByCatching]
      case .read, .lockedTakenForMissing, .staleURL, .use(_, of: _, isMissing: false),
        .valueOfOtherDevice:
        [.byApp, .trace]
      case .readMissing, .readLocked, .lockedKeychainItem, .writeToMissing, .foundOwnRemnant,
        .refused, .keychainItem,
        .cannotDecrypt,
        .use(_, of: _, isMissing: true), .staleLink(_, isUsed: true, _):
        [.byApp, .trace, .handledByCatching]
      case .staleLink(_, isUsed: false, _): .handledByCatching
      case .storedPath, .namedMissing, .checkFailed, .checkPassed: []
      case .output, .launch: .byApp
      case .killed, .system: .trace
      }
    }

    package var isChange: Bool {
      if case .changes(let changes) = self { !changes.isEmpty } else { false }
    }

    /// Why a step of the app's could not do what it was to do, if it did not look first; nil for what else
    /// happens. That a file could not be read is none: the app may go on without it.
    package var failedUse: String? {
      switch self {
      case .markOnMissing(let path), .writeToMissing(let path, _),
        .use(_, of: let path, isMissing: true):
        "'\(path)' does not exist"
      case .foundOwnRemnant(let path): "'\(path)' exists already, from the interrupted attempt"
      default: nil
      }
    }

    /// The act of the system; nil for anything else.
    package var system: SystemEvent? {
      if case .system(let event, lost: _) = self { event } else { nil }
    }

    /// The items that the system took or did not bring back; nil for an event that takes none.
    package var losses: Losses? {
      guard case .system(let event, lost: let items) = self else { return nil }
      return event.fate.map { Losses(items: items, fate: $0) }
    }

    /// True for a purge that found nothing to take: the app notices nothing but its end.
    package var tookNothing: Bool {
      losses.map { $0.fate == .purged && $0.items.isEmpty } ?? false
    }

    /// The backup that was taken; nil for anything else.
    public var backup: FakeContainer.Backup? {
      if case .system(.backup(let backup), lost: _) = self { backup } else { nil }
    }
  }

  /// The label of the backup that is taken of a container as it was found.
  package static let foundLabel = "now"

  /// The transcript of containers that were found as they are: the marks in them, what is directly
  /// in Library, and one backup. How the containers came to be is unknown.
  package init(finding tree: FileTree, _ configuration: SessionConfiguration, named name: String) {
    let profile = configuration.profile
    let scenario = configuration.scenario(named: name, file: name)
    self.init(
      scenario: scenario, variant: scenario.variants[0], firstTree: tree)
    let set = BackupSimulator(profile: profile, backups: configuration.backups).backUp(tree)
    let backup = FakeContainer.Backup(label: Self.foundLabel, tree: tree, contents: set)
    entries = [Event.changes(tree.signs), .system(.backup(backup))].map {
      Entry(step: .found, event: $0, tree: tree, profile: profile)
    }
  }
}

extension Scenario.StepReference {
  /// Whether it is done at every start of the app.
  package var isOfLaunch: Bool {
    if case .launch = number { true } else { false }
  }

  /// What stands for a step where things were found as they are.
  package static let found = Scenario.StepReference(
    number: .found, position: .start, summary: "found")
}

extension FakeContainer {
  /// A backup of a container, with a reason for every item that is in it or left out.
  ///
  /// ```swift
  /// let backup = try container.backUp()
  /// #expect(backup.files == ["Documents/list.json"])
  /// #expect(backup.bytes < 5_000_000)
  /// ```
  ///
  /// In `#expect` it prints each item with the reason why it is in or out.
  public struct Backup: Sendable {
    /// The name by which findings and scenario files refer to this backup.
    public let label: String
    /// The container's files when the backup was taken, including those that it leaves out.
    public let tree: FileTree
    /// The decision on every item of the container.
    public let contents: BackupSet
    /// The session of a test in which it was taken; nil for a backup of a scenario's run.
    package var session: SerialNumber?
  }
}

extension FakeContainer.Backup {
  /// The sum of the files' sizes in bytes.
  public var bytes: Int64 { contents.bytes }

  /// The paths of the files and links in the backup, relative to the container and sorted.
  public var files: [String] {
    contents.included.filter(\.isLeaf).map(\.path.string).sorted()
  }
}

extension FileTree {
  /// What an app is known to have done where its containers are like this.
  fileprivate var signs: [Change] {
    var signs = containerNames.flatMap { name in
      let library = ContainerPath(ContainerPath.StandardLocation.library.path, inContainer: name)
      return (self[library]?.children.entries ?? []).map {
        Change.created(library.appending($0.name))
      }
    }
    visitMarked { path, item in signs.append(.marked(path, item.marks)) }
    return signs
  }
}
