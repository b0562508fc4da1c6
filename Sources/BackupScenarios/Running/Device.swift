import BackupCollections
package import BackupDevice
package import BackupFileTree

/// The simulated device, as a value: its iOS version, containers, app, keychain and backups.
///
/// Two runs with equal devices continue in the same way. Therefore, `==` is synthesized and
/// compares all properties. The directory on disk, the app's process and the files of backups are
/// not part of the device.
///
/// Each event changes the device in ``absorb(_:usedPaths:)``. Steps set the other facts directly,
/// for example a keychain item.
package struct Device: Hashable, Sendable {
  /// The behavior of the device's current iOS version.
  package internal(set) var profile: SystemProfile
  /// The containers of the app, its groups and its extensions.
  package internal(set) var containers: ContainerState
  package internal(set) var app: InstalledApp
  var keychain = KeychainItems.ofNewApp
  package internal(set) var lockState = DeviceLock.unlocked
  var protectedFiles = ProtectedFiles()
  /// The number of random values that keychain items have got so far. Only items with which steps
  /// encrypt files get random values with a number.
  var randomValueCount = 0
  /// The names of the user defaults and keychain items that a restore brought from another device.
  /// Only values that the scenario declares valid on one device are in the set.
  var valuesOfOtherDevice: Set<String> = []
  var backups: [String: StoredBackup] = [:]
  var interruptedItems = InterruptedItems()
  /// The items that iOS deleted or did not restore, and that are still missing. Only items that a
  /// step uses are in the set.
  private(set) var lostItems: Set<ContainerPath> = []
  /// True after the first system event or kill of the run. From then on, a step with `mayThrow` may
  /// fail.
  var hasSystemActed = false

  init(_ system: SystemProfile, _ tree: FileTree, appVersion: String) {
    self.profile = system
    self.containers = ContainerState(tree: tree)
    self.app = InstalledApp(version: appVersion)
  }

  package var tree: FileTree { containers.tree }

  /// The keychain as the app leaves it if the app ends now.
  var keychainLeftByApp: KeychainItems {
    app.isRunning ? keychain.merging(.ofNewApp) { $1 } : keychain
  }

  /// Ends the app.
  ///
  /// The kit assumes that code that finds its keychain items missing sets the items again. The next
  /// launch then finds these items.
  mutating func endApp() {
    keychain = keychainLeftByApp
    app.traits.subtract([.running, .hasActed, .waitsForUnlock])
  }

  /// Updates the device for an event. `usedPaths` has the items that steps of the scenario use.
  mutating func absorb(_ entry: Transcript.Entry, usedPaths: Set<ContainerPath>) {
    if !usedPaths.isEmpty { absorbLosses(entry, usedPaths) }
    switch entry.event {
    case .launch: app.absorbLaunch(under: lockState)
    case .changes(let changes) where entry.isOfCode && !changes.isEmpty:
      app.traits.insert(.hasRunInContainer)
    case .system(let event, lost: _): absorb(event)
    default: break
    }
    interruptedItems.absorb(entry, from: tree)
    protectedFiles.absorb(entry.event, from: tree, to: entry.tree, under: lockState)
    containers = ContainerState(tree: entry.tree)
    if entry.event.isBySystem { hasSystemActed = true }
    if case .killed = entry.event { hasSystemActed = true }
    // The app's own code may have replaced any value that a restore brought from another device.
    if entry.isOfCode, case .changes(let changes) = entry.event,
      changes.contains(where: \.path.isUserDefaultsFile)
    {
      valuesOfOtherDevice = []
    }
  }

  private mutating func absorb(_ event: Transcript.SystemEvent) {
    switch event {
    case .appUpdate(version: let version):
      app.version = version
      app.moveToNewContainer()
    case .systemUpdate: lockState = .unlocked
    case .restore, .reinstall:
      if case .restore = event { lockState = .unlocked }
      app.traits.remove(.offloaded)
      app.moveToNewContainer()
    case .offload: app.traits.insert(.offloaded)
    case .lock(let change): lockState = change.resultingLock
    case .backup, .purge, .place: break
    }
  }

  private mutating func absorbLosses(_ entry: Transcript.Entry, _ usedPaths: Set<ContainerPath>) {
    var newlyLostItems = entry.event.losses?.items ?? []
    // A restore also removes the items that the app saved after the backup.
    if entry.event.systemEvent?.restoredBackup != nil {
      newlyLostItems += tree.itemsMissing(in: entry.tree)
    }
    newlyLostItems.forEachItem { path, _ in
      if usedPaths.contains(path) { lostItems.insert(path) }
    }
    guard !lostItems.isEmpty else { return }
    switch entry.event {
    case .changes(let changes):
      for path in changes.flatMap(\.touchedPaths) { removeReturnedItems(at: path, in: entry.tree) }
    case .system: lostItems = lostItems.filter { !entry.tree.contains($0) }
    default: break
    }
  }

  /// Removes the items from ``lostItems`` that exist again after a change at `path`.
  private mutating func removeReturnedItems(at path: ContainerPath, in tree: FileTree) {
    guard let item = tree[path] else { return }
    lostItems.remove(path)
    if !item.children.chunkedEntries.isEmpty { lostItems = lostItems.filter { !tree.contains($0) } }
  }

  /// Returns the device without the facts that no later step depends on. Exploration compares such
  /// reduced devices.
  ///
  /// - Parameters:
  ///   - labels: The labels of the backups that later steps restore. The other backups are removed.
  ///   - remnants: Temporary files of killed saves, which are removed.
  ///   - runsCode: True if the scenario runs the app's own code, which can read its version and its
  ///     launch count.
  ///   - uses: The facts that steps of the scenario use, which the result keeps.
  /// - Returns: The reduced device.
  func reduced(
    restoring labels: Set<String>, without remnants: Set<ContainerPath> = [], runsCode: Bool,
    keeping uses: StepUses
  ) -> Device {
    let usedDetails = uses.deviceFacts
    var reducedDevice = self
    if !remnants.isEmpty {
      reducedDevice.containers = ContainerState(tree: tree.removing(remnants))
    }
    if !backups.isEmpty { reducedDevice.backups = backups.filter { labels.contains($0.key) } }
    if !usedDetails.contains(.mayThrow) { reducedDevice.hasSystemActed = false }
    if !runsCode {
      reducedDevice.app.traits.remove(.hasActed)
      if !usedDetails.contains(.appVersion) { reducedDevice.app.version = "" }
      reducedDevice.keychain[KeychainItems.nameForItemsOfCode] = nil
      reducedDevice.interruptedItems.keepCreated(at: uses.newPaths)
    }
    // The app's code can read its launch count, but apps only distinguish the first launch from
    // later ones.
    reducedDevice.app.launchCount = runsCode ? min(app.launchCount, 2) : 0
    reducedDevice.app.extensionLaunchCounts =
      runsCode ? app.extensionLaunchCounts.mapValues { min($0, 2) } : [:]
    // The number of moves matters only if a link or a stored path names a former container. To the
    // app's own code, it also matters whether the container has moved at all.
    if app.moveCount > (runsCode ? 1 : 0), !usedDetails.contains(.containerPath), !tree.hasLinks {
      reducedDevice.app.moveCount = runsCode ? 1 : 0
    }
    if reducedDevice.app.moveCount == 0 { reducedDevice.app.traits.remove(.hasRunInContainer) }
    return reducedDevice
  }

  /// The facts of a device that matter only if a step of the scenario depends on them.
  package struct Facts: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A step runs only with some versions of the app.
    static let appVersion = Facts(rawValue: 1 << 0)
    /// A step stores the path of the container.
    static let containerPath = Facts(rawValue: 1 << 1)
    /// A step has the key `mayThrow`, so it may fail after a system event.
    static let mayThrow = Facts(rawValue: 1 << 2)
    /// A step may find a temporary file that a killed save left. The step names such a file, or
    /// moves an item over a directory, which fails if the directory is not empty.
    static let remnants = Facts(rawValue: 1 << 3)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(containers)
    hasher.combine(profile.version)
    hasher.combine(app)
    hasher.combine(keychain)
    hasher.combine(lockState)
  }
}

package struct InstalledApp: Hashable, Sendable {
  package internal(set) var version: String
  package internal(set) var traits: Traits = []
  var launchCount = 0
  /// The number of launches of each extension, by bundle identifier.
  var extensionLaunchCounts: [String: Int] = [:]
  /// The number of times that the app's containers got new paths. A path into a former container
  /// leads nowhere.
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

  /// The state of the app, as flags.
  package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    static let running = Traits(rawValue: 1 << 0)
    /// iOS has removed the app from the device, but kept its data.
    static let offloaded = Traits(rawValue: 1 << 1)
    /// The app has had control since it got this container.
    static let hasRunInContainer = Traits(rawValue: 1 << 2)
    /// The app's own check is due. A system event or a kill makes it due. Afterwards, each change
    /// of files makes it due again.
    static let checkIsDue = Traits(rawValue: 1 << 3)
    /// The app's process has performed an action, so it may have data in memory. Exploration
    /// assumes that two such processes have the same data in memory if their containers are equal.
    static let hasActed = Traits(rawValue: 1 << 4)
    /// The app was launched while the device was locked. Launch steps with `ifLocked: "wait"` may
    /// still wait for the unlock.
    static let waitsForUnlock = Traits(rawValue: 1 << 5)
  }
}

/// A backup that later steps of the run can restore.
package struct StoredBackup: Hashable, Sendable {
  var containers: ContainerState
  let keychain: KeychainItems
  let protectedFiles: ProtectedFiles
  let valuesOfOtherDevice: Set<String>
  let backupSet: BackupSet
  /// The items that a restore with `to: "transfer"` copies to the new device. They are the items of
  /// ``backupSet``, unless backups are off.
  var transferSet: BackupSet
}

/// The tree of the containers, with an `==` that compares the contents of files. The `==` of
/// `FileTree` compares only their sizes.
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
    var containsLink = false
    visit { item in
      if case .link = item.kind { true } else { false }
    } _: { _, _ in
      containsLink = true
    }
    return containsLink
  }
}

extension FileTree.Children {
  /// Returns true if all files have the same contents. Requires that the directories are otherwise
  /// equal.
  fileprivate func haveSameContents(as other: FileTree.Children) -> Bool {
    chunkedEntries.isIdentical(to: other.chunkedEntries)
      || zip(chunkedEntries, other.chunkedEntries).allSatisfy { left, right in
        switch (left.item.kind, right.item.kind) {
        case (.file(let leftFile), .file(let rightFile)): leftFile.checksum == rightFile.checksum
        case (.directory(let leftItems), .directory(let rightItems)):
          leftItems.haveSameContents(as: rightItems)
        default: true
        }
      }
  }
}

package struct KeychainItem: Hashable, Sendable {
  package let accessibility: SystemProfile.KeychainPolicy.Accessibility
  /// The value that a step gives; nil for a random value.
  package let value: StoredValue?
  /// The number of the random value; 0 if no step encrypts a file with the item.
  var randomValueNumber = 0

  /// Returns the item's name and value. A file that the item encrypts keeps both.
  func seal(named name: String) -> Seal {
    Seal(name: name, value: value?.description ?? "#\(randomValueNumber)")
  }
}

package typealias KeychainItems = [String: KeychainItem]

extension KeychainItems {
  /// The name that stands for all keychain items of the app's own code. No step can use this name.
  ///
  /// The kit does not see these items. It treats them as one item for this device only, and assumes
  /// that the code sets the item again if it is missing.
  static let nameForItemsOfCode = ""

  static let ofNewApp: Self = [
    nameForItemsOfCode: KeychainItem(accessibility: .thisDeviceOnly, value: nil)
  ]

  /// The names of the items that steps have set, sorted.
  package var names: [String] { keys.filter { $0 != Self.nameForItemsOfCode }.sorted() }

  /// Returns the item that encrypted a file; nil if the item is missing or has another value now.
  package func item(of seal: Seal) -> KeychainItem? {
    self[seal.name].flatMap { $0.seal(named: seal.name) == seal ? $0 : nil }
  }
}
