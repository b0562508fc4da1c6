public import BackupCollections
public import BackupContainer
public import BackupDevice
package import BackupDiagnostics
public import BackupFileTree

/// The record of one run of a scenario: its events in order, each with the container after it.
///
/// Rules, golden files and reports read the transcript. It does not depend on them.
public struct Transcript: Sendable {
  /// The scenario of the run. In a test without a scenario file, the scenario has only the settings
  /// of the session.
  @Boxed public private(set) var scenario: Scenario
  /// The system and the kind of backup of the run.
  public let variant: Scenario.Variant
  /// The container before the first step.
  public internal(set) var firstTree: FileTree
  /// The events, in the order in which the kit noticed them.
  public internal(set) var entries: [Entry] = []
  /// The failure of the step that ended the run early; nil if the run reached its end.
  public internal(set) var failure: Failure?
  /// The app's use of each argument of an action. The key is the argument's position in the
  /// scenario file.
  package private(set) var argumentUses: [SourcePosition: ArgumentUse] = [:]

  /// Adds the classes that all scenarios and tests of the app share.
  mutating func add(sharedPromises files: FilePromises) throws(RunError) {
    scenario = try scenario.adding(sharedPromises: files)
  }

  /// A failure of a step that ended the run early.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The step that failed.
    public let step: Scenario.StepReference
    /// The reason for the failure, in a sentence.
    public let message: String
    package let outcome: StepFailure.Outcome
    /// The position of the cause in the scenario file: the step, or a value in it.
    package private(set) var position: SourcePosition
    /// The return addresses on the stack where the app's code threw the error, the innermost first.
    /// Each address is relative to the start of the program. Empty if the addresses are unknown.
    package private(set) var returnAddresses: [UInt64] = []

    /// The failure with its step: `step 5, save Documents/a.txt: no such file: 'Documents'`.
    public var description: String { "\(step.withSummary): \(message)" }

    init(step: Scenario.StepReference, message: String, outcome: StepFailure.Outcome) {
      (self.step, self.message, self.outcome) = (step, message, outcome)
      self.position = step.position
    }

    init(_ failure: StepFailure, at step: Scenario.StepReference) {
      self.init(step: step, message: failure.description, outcome: failure.outcome)
      self.position = failure.position ?? step.position
      self.returnAddresses = failure.returnAddresses
    }

    /// Creates the failure of a step in which the app used an item without a check. A rule reports
    /// this use, which is the event of `entry`.
    package init(failedUseIn entry: Entry) {
      self.init(
        step: entry.step, message: entry.event.failedUseReason ?? "", outcome: .reported(.simulated)
      )
    }
  }

  /// A step whose result may be wrong, because the kit does not see everything or simulates only a
  /// part. The message has the reason.
  package struct Doubt: Sendable {
    package let step: Scenario.StepReference
    package let message: String
  }

  /// The steps whose result may be wrong, for example because code may have written outside the
  /// container.
  package internal(set) var doubts: [Doubt] = []

  /// The steps of the app's own code in which the kit may miss marks that Foundation sets. On
  /// Linux, these are the marks that modules without the shim set.
  package internal(set) var stepsWithoutShim: Set<Scenario.StepReference.Number> = []
  package internal(set) var modulesWithShim: Set<String> = []

  /// The folder in which the app's process kept temporary files; nil for the container's `tmp`. The
  /// kit does not see the files in this folder.
  package internal(set) var sharedTemporaryFolder: String?

  /// An item that changed after the last step, while the app continued. nil if no item changed, or
  /// if the kit did not wait for such a change.
  package internal(set) var lateChange: ContainerPath?

  /// The calls with which the app's code changed items, in order; empty if the kit does not record
  /// the calls of the app's process.
  package internal(set) var changeCalls: [Call] = []

  /// A call of the file system that changed an item, with its step.
  package struct Call: Sendable {
    package let step: Scenario.StepReference
    package let changeCall: ChangeCall
  }

  /// True if launches run the app's own code. The containers may then have files that Foundation
  /// itself keeps, such as preferences.
  var mayHaveFoundationFiles = false

  /// True if launches or steps of the scenario run the app's own code. The files of this code may
  /// differ in each run.
  package var runsCode: Bool { mayHaveFoundationFiles || !scenario.stepsRunningCode.isEmpty }

  /// The options of the run's golden file. The golden file leaves out the sizes of files that
  /// Foundation itself keeps, if the containers may have such files. These sizes depend on
  /// Foundation's version and on the test that runs.
  package var goldenOptions: GoldenOptions {
    mayHaveFoundationFiles
      ? scenario.goldenOptions.leavingOutSizes(of: scenario.app.foundationFilePatterns)
      : scenario.goldenOptions
  }

  /// The steps with an action that ran, but had no effect that the kit sees. Steps that may fail
  /// are left out.
  ///
  /// The action may have returned before its work was done, or it may only have read files, which
  /// the kit does not see.
  package var stepsWithoutEffect: [Scenario.StepReference] {
    let performed = Set(entries.map(\.step.number))
    let effective = Set(entries.filter { $0.event.traits.contains(.hasEffect) }.map(\.step.number))
    return scenario.steps.filter { $0.actionName != nil && !$0.mustFail && !$0.mayThrow }
      .map(\.reference).filter { performed.contains($0.number) && !effective.contains($0.number) }
  }

  /// Adds the uses of an action's arguments to the uses in earlier calls of the action.
  mutating func addArgumentUses(_ uses: [ArgumentUse]) {
    for use in uses {
      argumentUses[use.position] = argumentUses[use.position]?.merging(use) ?? use
    }
  }

  /// The container after the last step.
  public var lastTree: FileTree { entries.last?.tree ?? firstTree }

  /// Returns the container before a step, or before the next step with an event; nil if no such
  /// step exists.
  ///
  /// The result also has the files that this step and the steps after it saved, each in its last
  /// version, even if a later step removed the file.
  func tree(beforeStep number: Int) -> FileTree? {
    let entryIndex = entries.firstIndex { entry in
      if case .step(let stepNumber) = entry.step.number { stepNumber >= number } else { false }
    }
    guard let entryIndex else { return nil }
    var tree = entryIndex > 0 ? entries[entryIndex - 1].tree : firstTree
    tree.add(filesSavedBy: entries[entryIndex...])
    return tree
  }

  package var systemEntries: [Entry] { entries.filter(\.event.isBySystem) }
}

extension FileTree {
  /// Adds the last version of each file that the entries saved, even if a later entry removed the
  /// file.
  mutating func add(filesSavedBy entries: some Sequence<Transcript.Entry>) {
    for entry in entries {
      guard case .changes(let changes) = entry.event else { continue }
      for change in changes where change.createsOrSavesItem {
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
  /// An event, with its step and the state after the event. Copies share their storage.
  public struct Entry: Sendable {
    private struct Facts: Sendable {
      let step: Scenario.StepReference
      let event: Transcript.Event
      let tree: FileTree
      let profile: SystemProfile
      let keychain: KeychainItems
    }

    /// The circumstances of an event.
    package struct Circumstances: OptionSet, Sendable {
      package let rawValue: Int

      package init(rawValue: Int) { self.rawValue = rawValue }

      /// The event is part of a launch. A step of `launch` or the app's own code caused the event.
      package static let start = Circumstances(rawValue: 1 << 0)
      /// The event is part of a step in which the app is killed later.
      package static let killedStep = Circumstances(rawValue: 1 << 1)
      /// The event is part of a step in which a write fails because the storage is full.
      package static let fullStorage = Circumstances(rawValue: 1 << 2)
      /// The app's own code caused the event.
      package static let code = Circumstances(rawValue: 1 << 3)
      /// An extension of the app caused the event, in its own process.
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

    /// The step that caused the event.
    public var step: Scenario.StepReference { facts.step }
    /// The recorded event.
    public var event: Transcript.Event { facts.event }
    /// The container's files after the event.
    public var tree: FileTree { facts.tree }
    /// The behavior of the device's system at the time of the event.
    public var profile: SystemProfile { facts.profile }
    package var keychain: KeychainItems { facts.keychain }
  }

  /// An event that a run's transcript records.
  @nonexhaustive
  public enum Event: Sendable {
    case changes([FileTree.Change])
    /// The app set a mark on an item that does not exist.
    case markOnMissing(ContainerPath)
    /// The app used a mark that the iOS version does not have, and did not handle the error.
    case markUnavailable(ContainerPath, ExclusionMark)
    /// A step read an existing file without a check. The kit does not see the reads of the app's
    /// own code.
    case read(ContainerPath)
    /// The app read a missing file without a check. If the app's code threw an error of its own
    /// that wraps the error of the read, `wrappedIn` is the message of the app's error.
    case readMissing(ContainerPath, wrappedIn: String?)
    /// A step read a file without a check while the device was locked, so the app could not read
    /// the file.
    case readLocked(ContainerPath)
    /// The app read a keychain item before the first unlock, without a check.
    case lockedKeychainItem(String)
    /// The app could not read a file because the device is locked, and treated the file as missing.
    case lockedTakenForMissing(ContainerPath)
    /// The app opened or wrote to a missing file, or wrote into a missing directory, without a
    /// check. `wrappedIn` is as in ``readMissing(_:wrappedIn:)``.
    case writeToMissing(ContainerPath, wrappedIn: String?)
    /// A step used an item without a check. `isMissing` is true if iOS has deleted the item, and
    /// false if the item is in tmp, where iOS may delete it. The kit does not see the checks of the
    /// app's own code.
    case use(Use, of: ContainerPath, isMissing: Bool)
    /// The app set, read or removed a keychain item. `isMissing` is true if the app read a missing
    /// item without a check.
    case keychainItem(String, isMissing: Bool)
    /// The app read a file that it cannot decrypt. The keychain item that encrypted the file is
    /// missing or has a new value.
    case cannotDecrypt(ContainerPath, without: String)
    /// The app read a value that is valid on one device only, but a restore brought the value from
    /// another device.
    case valueOfOtherDevice(String)
    /// The app could not create an item, because it had already created the item in a step in which
    /// it was killed.
    case foundOwnRemnant(ContainerPath)
    /// The app used a path in its former container. `wrappedIn` is as in
    /// ``readMissing(_:wrappedIn:)``.
    case staleURL(ContainerPath, wrappedIn: String?)
    /// The app could not create or write an item, because devices refuse items at this path.
    /// `wrappedIn` is as in ``readMissing(_:wrappedIn:)``.
    case refused(ContainerPath, wrappedIn: String?)
    /// A link leads into the app's former container. The app used the link, or ran and did not
    /// replace it. `wrappedIn` is as in ``readMissing(_:wrappedIn:)``.
    case staleLink(ContainerPath, isUsed: Bool, wrappedIn: String?)
    /// A file contains the current or a former path of the container. In a property list or JSON,
    /// `key` is the key of the path. In user defaults, `setBy` is the step that set the path.
    case storedPath(ContainerPath, key: String?, setBy: Scenario.StepReference?)
    /// A file that is in backups names a missing file, which iOS deleted or did not restore. `key`
    /// and `setBy` are as in ``storedPath(_:key:setBy:)``.
    case namedMissing(
      ContainerPath, key: String?, setBy: Scenario.StepReference?, missing: ContainerPath)
    /// The app's own check failed at a launch, with its error, the system event before the launch,
    /// and the item that the error names.
    case checkFailed(String, after: String, ContainerPath?)
    /// The app's own check passed at a launch.
    case checkPassed
    /// A process of a `run` step ended. The text is its output, in escaped lines.
    case output(String)
    case launch
    /// The app was killed within a step.
    case killed(Kill)
    /// A system event, with the items that iOS deleted or did not restore.
    case system(SystemEvent, lost: [FileTree.LostItem] = [])

    /// The app's use of an item that must exist, except a read.
    public enum Use: Hashable, Sendable {
      case append
      case copy
      /// The app marks the item.
      case exclude
      /// The app clears the item's mark.
      case include
      case move
      case remove
    }

    /// A kill of the app within a step.
    public struct Kill: Sendable {
      /// The change before which the app was killed.
      package let point: Scenario.InterruptionPoint
      /// The same activity without the kill; nil if it is unknown.
      package let activity: InterruptedActivity?
    }

    /// True for a system event, unless the system only put a file into the container.
    public var isBySystem: Bool { systemEvent.map { $0.placedFile == nil } ?? false }

    /// The properties of a kind of event that rules, runs and reports need.
    package struct Traits: OptionSet, Sendable {
      package let rawValue: Int

      package init(rawValue: Int) { self.rawValue = rawValue }

      /// The app acted, even if it only started.
      package static let byApp = Traits(rawValue: 1 << 0)
      /// The event shows that the step had an effect.
      package static let hasEffect = Traits(rawValue: 1 << 1)
      /// The app marked a missing item, or used a mark that the iOS version does not have.
      package static let failedMark = Traits(rawValue: 1 << 2)
      /// The event is no problem if the app catches the error.
      package static let handledByCatching = Traits(rawValue: 1 << 3)
    }

    package var traits: Traits {
      switch self {
      case .changes(let changes): changes.isEmpty ? .byApp : [.byApp, .hasEffect]
      case .markOnMissing: [.byApp, .hasEffect, .failedMark]
      case .markUnavailable: [.byApp, .hasEffect, .failedMark, .handledByCatching]
      case .read, .lockedTakenForMissing, .staleURL, .use(_, of: _, isMissing: false),
        .valueOfOtherDevice:
        [.byApp, .hasEffect]
      case .readMissing, .readLocked, .lockedKeychainItem, .writeToMissing, .foundOwnRemnant,
        .refused, .keychainItem,
        .cannotDecrypt,
        .use(_, of: _, isMissing: true), .staleLink(_, isUsed: true, _):
        [.byApp, .hasEffect, .handledByCatching]
      case .staleLink(_, isUsed: false, _): .handledByCatching
      case .storedPath, .namedMissing, .checkFailed, .checkPassed: []
      case .output, .launch: .byApp
      case .killed, .system: .hasEffect
      }
    }

    package var isChange: Bool {
      if case .changes(let changes) = self { !changes.isEmpty } else { false }
    }

    /// The reason why a step of the app failed, if the app used an item without a check; nil for
    /// any other event. Also nil for a read, because the app may continue without the file.
    package var failedUseReason: String? {
      switch self {
      case .markOnMissing(let path), .writeToMissing(let path, _),
        .use(_, of: let path, isMissing: true):
        "'\(path)' does not exist"
      case .foundOwnRemnant(let path): "'\(path)' exists already, from the interrupted attempt"
      default: nil
      }
    }

    /// The system event; nil for any other event.
    package var systemEvent: SystemEvent? {
      if case .system(let event, lost: _) = self { event } else { nil }
    }

    /// The items that iOS deleted or did not restore; nil if an event of this kind deletes none.
    package var losses: Losses? {
      guard case .system(let event, lost: let items) = self else { return nil }
      return event.lossReason.map { Losses(items: items, lossReason: $0) }
    }

    /// True for a purge that deleted nothing. The app notices only that iOS ended the app.
    package var purgedNothing: Bool {
      losses.map { $0.lossReason == .purged && $0.items.isEmpty } ?? false
    }

    /// The backup that was taken; nil for any other event.
    public var backup: FakeContainer.Backup? {
      if case .system(.backup(let backup), lost: _) = self { backup } else { nil }
    }
  }

  /// The label of the backup in the transcript of a found container.
  package static let foundBackupLabel = "now"

  /// Creates the transcript of found containers: folders whose history the kit does not know.
  ///
  /// The transcript has the creation of each item directly in Library, the setting of each mark,
  /// and one backup.
  package init(
    ofFoundContainers tree: FileTree, _ configuration: SessionConfiguration, named name: String
  ) {
    let profile = configuration.profile
    let scenario = configuration.scenario(named: name, file: name)
    self.init(
      scenario: scenario, variant: scenario.variants[0], firstTree: tree)
    let backupSet = BackupSimulator(profile: profile, backups: configuration.backups).backUp(tree)
    let backup = FakeContainer.Backup(label: Self.foundBackupLabel, tree: tree, contents: backupSet)
    entries = [Event.changes(tree.impliedChanges), .system(.backup(backup))].map {
      Entry(step: .found, event: $0, tree: tree, profile: profile)
    }
  }
}

extension Scenario.StepReference {
  /// True if each launch performs the step.
  package var isOfLaunch: Bool {
    if case .launch = number { true } else { false }
  }

  /// The reference to use in place of a step for found containers, whose history the kit does not
  /// know.
  package static let found = Scenario.StepReference(
    number: .found, position: .start, summary: "found")
}

extension FakeContainer {
  /// A backup of a container. For each item, it has the reason why the backup contains or excludes
  /// the item.
  ///
  /// ```swift
  /// let backup = try container.backUp()
  /// #expect(backup.files == ["Documents/list.json"])
  /// #expect(backup.bytes < 5_000_000)
  /// ```
  ///
  /// `#expect` prints each item with the reason.
  public struct Backup: Sendable {
    /// The name by which findings and scenario files refer to this backup.
    public let label: String
    /// The container's files when the backup was taken, including the files that the backup
    /// excludes.
    public let tree: FileTree
    /// The decision for every item of the container.
    public let contents: BackupSet
    /// The session of the test that took the backup; nil for a backup of a scenario's run.
    package var session: SerialNumber?
  }
}

extension FakeContainer.Backup {
  /// The sum of the files' sizes in bytes.
  public var bytes: Int64 { contents.bytes }

  /// The paths of the files and links in the backup, relative to the container and sorted.
  public var files: [String] {
    contents.included.filter(\.isFileOrLink).map(\.path.string).sorted()
  }
}

extension FileTree {
  /// The changes that an app must have made to bring its containers into this state.
  fileprivate var impliedChanges: [Change] {
    var changes = containerNames.flatMap { name in
      let library = ContainerPath(ContainerPath.StandardLocation.library.path, inContainer: name)
      return (self[library]?.children.entries ?? []).map {
        Change.created(library.appending($0.name))
      }
    }
    visitMarkedItems { path, item in changes.append(.marked(path, item.marks)) }
    return changes
  }
}
