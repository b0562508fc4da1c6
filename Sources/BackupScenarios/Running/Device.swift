import BackupCollections
package import BackupDevice
package import BackupFileTree

/// The simulated device and everything on it, as a value. Runs with equal devices continue in the same way.
///
/// Events change it in ``absorb(_:usedPaths:)``; steps set only facts that no event has. Equality is synthesized, so
/// it leaves nothing out. The directory, the app's process and the files of backups are not part of the device.
package struct Device: Hashable, Sendable {
  package internal(set) var system: SystemProfile
  /// The containers of the app, its groups and its extensions.
  package internal(set) var containers: ContainerState
  package internal(set) var app: InstalledApp
  var keychain = KeychainItems.ofNewApp
  package internal(set) var lock = DeviceLock.unlocked
  var protectedFiles = ProtectedFiles()
  /// The number of the latest random value of a keychain item that seals files.
  var sealCount = 0
  /// The names in the scenario of the values that are bound to one device and that a restore brought from another.
  var valuesOfOtherDevice: Set<String> = []
  var backups: [String: StoredBackup] = [:]
  var interruptedItems = InterruptedItems()
  /// The items that a step uses, that iOS took or did not restore, and that are still missing.
  private(set) var takenItems: Set<ContainerPath> = []
  /// True if iOS has acted, or the app was killed. A step with `mayThrow` may then fail.
  var hasSystemActed = false

  init(_ system: SystemProfile, _ tree: FileTree, appVersion: String) {
    self.system = system
    self.containers = ContainerState(tree: tree)
    self.app = InstalledApp(version: appVersion)
  }

  package var tree: FileTree { containers.tree }

  /// The keychain as the app leaves it if it ends now.
  var keychainLeftByApp: KeychainItems {
    app.isRunning ? keychain.merging(.ofNewApp) { $1 } : keychain
  }

  /// Ends the app. Its next launch finds no keychain item lost that this one has found lost.
  mutating func endApp() {
    keychain = keychainLeftByApp
    app.traits.subtract([.running, .hasActed, .waitsForUnlock])
  }

  /// Applies an event. Only this method changes the device by an event.
  mutating func absorb(_ entry: Transcript.Entry, usedPaths: Set<ContainerPath>) {
    if !usedPaths.isEmpty { absorbLosses(entry, usedPaths) }
    switch entry.event {
    case .launch: app.absorbLaunch(under: lock)
    case .changes(let changes) where entry.isOfCode && !changes.isEmpty:
      app.traits.insert(.hasRunInContainer)
    case .system(let event, lost: _): absorb(event)
    default: break
    }
    interruptedItems.absorb(entry, before: tree)
    protectedFiles.absorb(entry.event, from: tree, to: entry.tree, under: lock)
    containers = ContainerState(tree: entry.tree)
    if entry.event.isBySystem { hasSystemActed = true }
    if case .killed = entry.event { hasSystemActed = true }
    // Code may have set each of these values again.
    if entry.isOfCode, case .changes(let changes) = entry.event,
      changes.contains(where: \.path.isOfUserDefaults)
    {
      valuesOfOtherDevice = []
    }
  }

  private mutating func absorb(_ event: Transcript.SystemEvent) {
    switch event {
    case .appUpdate(version: let version):
      app.version = version
      app.moveToNewContainer()
    case .systemUpdate: lock = .unlocked
    case .restore, .reinstall:
      if case .restore = event { lock = .unlocked }
      app.traits.remove(.offloaded)
      app.moveToNewContainer()
    case .offload: app.traits.insert(.offloaded)
    case .lock(let change): lock = change.result
    case .backup, .purge, .place: break
    }
  }

  private mutating func absorbLosses(_ entry: Transcript.Entry, _ usedPaths: Set<ContainerPath>) {
    var items = entry.event.losses?.items ?? []
    // A backup lacks the items that were saved after it.
    if entry.event.system?.restoredBackup != nil { items += tree.itemsMissing(in: entry.tree) }
    items.forEachItem { path, _ in
      if usedPaths.contains(path) { takenItems.insert(path) }
    }
    guard !takenItems.isEmpty else { return }
    switch entry.event {
    case .changes(let changes):
      for path in changes.flatMap(\.touchedPaths) { removeReturnedItems(at: path, in: entry.tree) }
    case .system: takenItems = takenItems.filter { !entry.tree.contains($0) }
    default: break
    }
  }

  /// Removes the taken items that exist again after an item was created or moved.
  private mutating func removeReturnedItems(at path: ContainerPath, in tree: FileTree) {
    guard let item = tree[path] else { return }
    takenItems.remove(path)
    if !item.children.list.isEmpty { takenItems = takenItems.filter { !tree.contains($0) } }
  }

  /// Returns the device without the facts on which nothing later depends. The app's own code can ask for its version
  /// and launches, and can find the remnants of killed saves.
  func reduced(
    restoring labels: Set<String>, without remnants: Set<ContainerPath> = [], runsCode: Bool,
    besides uses: StepUses
  ) -> Device {
    let used = uses.details
    var state = self
    if !remnants.isEmpty { state.containers = ContainerState(tree: tree.removing(remnants)) }
    if !backups.isEmpty { state.backups = backups.filter { labels.contains($0.key) } }
    if !used.contains(.mayThrow) { state.hasSystemActed = false }
    if !runsCode {
      state.app.traits.remove(.hasActed)
      if !used.contains(.appVersion) { state.app.version = "" }
      state.keychain[KeychainItems.nameOfCode] = nil
      state.interruptedItems.keepCreated(at: uses.newPaths)
    }
    // The app's code can read the number of its launch, but apps only care whether it is the first.
    state.app.launchCount = runsCode ? min(app.launchCount, 2) : 0
    state.app.extensionLaunchCounts =
      runsCode ? app.extensionLaunchCounts.mapValues { min($0, 2) } : [:]
    // Only links and stored paths distinguish the containers.
    if app.moveCount > (runsCode ? 1 : 0), !used.contains(.containerPath), !tree.hasLinks {
      state.app.moveCount = runsCode ? 1 : 0
    }
    if state.app.moveCount == 0 { state.app.traits.remove(.hasRunInContainer) }
    return state
  }

  /// The details that steps of a scenario use.
  package struct Details: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A step is only for some versions of the app.
    static let appVersion = Details(rawValue: 1 << 0)
    /// A step stores the path of the container.
    static let containerPath = Details(rawValue: 1 << 1)
    /// A step may fail after iOS has acted.
    static let mayThrow = Details(rawValue: 1 << 2)
    /// A step may find the remnant of a killed save: it names one, or replaces a directory, which must be empty.
    static let remnants = Details(rawValue: 1 << 3)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(containers)
    hasher.combine(system.version)
    hasher.combine(app)
    hasher.combine(keychain)
    hasher.combine(lock)
  }
}

package struct InstalledApp: Hashable, Sendable {
  package internal(set) var version: String
  package internal(set) var traits: Traits = []
  var launchCount = 0
  /// The number of launches of each extension.
  var extensionLaunchCounts: [String: Int] = [:]
  /// The number of times that the app got another container. Paths of former containers lead nowhere.
  var moveCount = 0

  package var isRunning: Bool { traits.contains(.running) }
  package var isOffloaded: Bool { traits.contains(.offloaded) }

  fileprivate mutating func absorbLaunch(under lock: DeviceLock) {
    traits.formUnion([.running, .hasRunInContainer])
    if lock != .unlocked { traits.insert(.waitsForUnlock) }
    launchCount += 1
  }

  fileprivate mutating func moveToNewContainer() {
    moveCount += 1
    traits.remove(.hasRunInContainer)
  }

  /// The facts that are true of the app at a time.
  package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    static let running = Traits(rawValue: 1 << 0)
    /// The app is off the device, but its data is still on it.
    static let offloaded = Traits(rawValue: 1 << 1)
    /// The app has had control since it got this container.
    static let hasRunInContainer = Traits(rawValue: 1 << 2)
    /// Since the app's own check last ran, iOS has acted, the app was killed, or the app has changed files after
    /// that.
    static let unchecked = Traits(rawValue: 1 << 3)
    /// The app's process has performed an action. Exploration assumes that all such processes know the same in equal
    /// containers, and that a process without an action knows nothing yet.
    static let hasActed = Traits(rawValue: 1 << 4)
    /// The app was started while the device was locked, and launch steps may wait for the unlock.
    static let waitsForUnlock = Traits(rawValue: 1 << 5)
  }
}

package struct StoredBackup: Hashable, Sendable {
  var containers: ContainerState
  let keychain: KeychainItems
  let protectedFiles: ProtectedFiles
  let valuesOfOtherDevice: Set<String>
  let set: BackupSet
  /// The items that a transfer to a new device takes along, by the rules of its kind of backup.
  var transferred: BackupSet
}

/// The tree of the containers. Equality includes the contents of files, while trees alone compare their sizes.
package struct ContainerState: Hashable, Sendable {
  package private(set) var tree: FileTree

  package init(tree: FileTree) { self.tree = tree }

  mutating func setSizes(_ sizes: [ContainerPath: Int64]) { tree.setSizes(sizes) }

  package static func == (left: Self, right: Self) -> Bool {
    left.tree == right.tree && left.tree.children.haveSameContents(as: right.tree.children)
  }
}

extension FileTree {
  fileprivate var hasLinks: Bool {
    var hasLinks = false
    visit { item in
      if case .link = item.kind { true } else { false }
    } _: { _, _ in
      hasLinks = true
    }
    return hasLinks
  }
}

extension FileTree.Children {
  /// Returns true if all files have the same contents, in directories that are otherwise equal.
  fileprivate func haveSameContents(as other: FileTree.Children) -> Bool {
    list.isIdentical(to: other.list)
      || zip(list, other.list).allSatisfy { left, right in
        switch (left.item.kind, right.item.kind) {
        case (.file(let one), .file(let other)): one.contents == other.contents
        case (.directory(let one), .directory(let other)): one.haveSameContents(as: other)
        default: true
        }
      }
  }
}

package struct KeychainItem: Hashable, Sendable {
  package let accessibility: SystemProfile.KeychainPolicy.Accessibility
  /// The value that a step gives; nil for a random one.
  package let value: DefaultValue?
  /// The number of the random value; 0 if no file is sealed with the item.
  var number = 0

  func seal(named name: String) -> Seal {
    Seal(name: name, value: value?.description ?? "#\(number)")
  }
}

package typealias KeychainItems = [String: KeychainItem]

extension KeychainItems {
  /// The name for all keychain items of the app's own code, which the kit does not see. They count as one item for
  /// this device only, which the code sets again if it runs without it. No step can name it.
  static let nameOfCode = ""

  static let ofNewApp: Self = [
    nameOfCode: KeychainItem(accessibility: .thisDeviceOnly, value: nil)
  ]

  /// The names that steps have given.
  package var names: [String] { keys.filter { $0 != Self.nameOfCode }.sorted() }

  /// Returns the item that sealed a file; nil if it is missing or was set to another value.
  package func item(of seal: Seal) -> KeychainItem? {
    self[seal.name].flatMap { $0.seal(named: seal.name) == seal ? $0 : nil }
  }
}
