package import BackupDevice
import BackupDiagnostics
package import BackupFileTree

/// The action of a step. Scenario files, the calls of a test and exploration create values of this
/// type.
package enum StepAction: Hashable, Sendable {
  case app(AppStep)
  case code(CodeStep)
  /// The app ends, and is launched again.
  case relaunch
  case system(SystemStep)
  case check(Assertion)
}

/// A step of the app that the kit simulates.
package enum AppStep: Hashable, Sendable {
  case change(FileOperation, ChangeOptions = ChangeOptions())
  case linkAbsolutely(ContainerPath, to: ContainerPath)
  case read(ContainerPath, ifMissing: IfMissing<FileOperation.Contents>)
  case setDefaults([UserDefault], suite: String?)
  case readDefault(String, expected: ExpectedDefault?, suite: String?)
  case setKeychainItem(String, KeychainItem)
  case readKeychainItem(String, ifMissing: IfMissing<KeychainItem>, expected: ExpectedDefault?)
  case removeKeychainItem(String)
  /// A step that writes a file, which the app encrypts with the named keychain item.
  indirect case sealed(AppStep, with: String)

  /// The app's checks before a change, and the protection of the new file.
  package struct ChangeOptions: Hashable, Sendable {
    var checks: Checks = []
    /// The protection that the app requests; nil for the usual protection.
    var protection: DataProtection?
  }

  /// The conditions that the app checks before it changes an item. If a condition is not met, the
  /// app skips the change.
  package struct Checks: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The item that the change uses exists.
    static let itemExists = Checks(rawValue: 1 << 0)
    /// No item exists at the path of the item that the change creates.
    static let targetIsFree = Checks(rawValue: 1 << 1)
  }

  /// The app's reaction to a missing item that it wants to read.
  package enum IfMissing<New: Hashable & Sendable>: Hashable, Sendable {
    /// The app does not check whether the item exists.
    case unchecked
    case skipped
    case recreated(New)
  }
}

/// A step that runs the app's own code. The kit sees only the changes that the code makes.
package enum CodeStep: Hashable, Sendable {
  /// An action, by name. A test binds code to the name.
  case perform(String, with: ActionArguments)
  /// A tool with its arguments; the limit is in seconds.
  case run([String], timeLimit: Double)
}

package enum SystemStep: Hashable, Sendable {
  case backup(String)
  case purge(PurgeSimulator.Pressure)
  case updateApp(to: String, keeping: [ContainerPath], losing: [PathPattern])
  case updateSystem(to: NamedSystem)
  case restore(String, to: RestoreSimulator.Destination)
  case restoreFolder(Scenario.BackupFolderReference, to: RestoreSimulator.Destination)
  case place(FileOperation.Contents, at: ContainerPath)
  case offload
  case reinstall
  case kill
  case lock(Transcript.SystemEvent.LockChange)
}

package enum Assertion: Hashable, Sendable {
  case file(ContainerPath, ExpectedContents)
  case files(ExpectedPatterns)
  case backup(ExpectedPatterns)
}

/// The keyword of each kind of step, in the order of the documentation.
package enum StepKeyword: String, CaseIterable, Hashable, Sendable {
  case createDirectory, save, append, exclude, include, move, copy, remove, link, read, setDefault,
    readDefault, setKeychainItem, readKeychainItem, removeKeychainItem, perform, run, backup, purge,
    updateApp, updateSystem, restore, place, offload, reinstall, kill, restart, lock, unlock,
    relaunch,
    expectFile, expectFiles, expectBackup
}

/// The properties of a step. Exploration and the check of the order of steps use them.
package struct StepTraits: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  static let byApp = StepTraits(rawValue: 1 << 0)
  /// The kit performs the step, which only checks something.
  static let byObserver = StepTraits(rawValue: 1 << 1)
  /// The step launches an app that is not running.
  static let launchesApp = StepTraits(rawValue: 1 << 2)
  /// The step is possible only if the app is on the device.
  static let needsApp = StepTraits(rawValue: 1 << 3)
  static let runsCode = StepTraits(rawValue: 1 << 4)
  /// The step only launches the app. A kill can interrupt it, like a step of the app.
  static let onlyLaunchesApp = StepTraits(rawValue: 1 << 5)
  /// The app is on the device after the step.
  static let installsApp = StepTraits(rawValue: 1 << 6)
  /// The app is no longer on the device after the step.
  static let removesApp = StepTraits(rawValue: 1 << 7)
  static let updatesApp = StepTraits(rawValue: 1 << 8)
  static let needsBackup = StepTraits(rawValue: 1 << 9)
  /// The step reads an item. It changes something only if the item is missing.
  static let onlyReads = StepTraits(rawValue: 1 << 10)
  /// An extension can perform the step too. The step then does not launch the app.
  static let mayBeOfExtension = StepTraits(rawValue: 1 << 11)

  /// The traits of a step that only the app performs.
  static let ofAppAlone: StepTraits = [.byApp, .launchesApp, .needsApp]
  /// The traits of most steps of the app.
  static let ofApp: StepTraits = [.ofAppAlone, .mayBeOfExtension]

  package var actor: StepActor {
    contains(.byApp) ? .app : contains(.byObserver) ? .observer : .system
  }
}

package enum StepActor: Hashable, Sendable {
  /// The app, which is launched for the step if it is not running.
  case app
  case system
  /// The kit, which only checks something.
  case observer
}

extension StepKeyword {
  package var traits: StepTraits {
    switch self {
    case .createDirectory, .save, .append, .exclude, .include, .move, .copy, .remove, .link,
      .setDefault, .readDefault:
      .ofApp
    // The kit does not know which keychain items an app shares with its extensions.
    case .setKeychainItem, .readKeychainItem, .removeKeychainItem: .ofAppAlone
    case .read: [.ofApp, .onlyReads]
    case .perform: [.ofApp, .runsCode]
    case .run: [.ofAppAlone, .runsCode]
    case .relaunch: [.launchesApp, .needsApp, .onlyLaunchesApp]
    case .backup, .purge, .updateSystem, .kill, .restart, .lock, .unlock: []
    case .place: .needsApp
    case .updateApp: [.needsApp, .updatesApp]
    case .offload: [.needsApp, .removesApp]
    case .restore, .reinstall: .installsApp
    case .expectFile, .expectFiles: .byObserver
    case .expectBackup: [.byObserver, .needsBackup]
    }
  }
}

extension StepAction {
  package var keyword: StepKeyword {
    switch self {
    case .app(.change(let operation, _)): operation.keyword
    case .app(.linkAbsolutely): .link
    case .app(.read): .read
    case .app(.setDefaults): .setDefault
    case .app(.readDefault): .readDefault
    case .app(.setKeychainItem): .setKeychainItem
    case .app(.readKeychainItem): .readKeychainItem
    case .app(.removeKeychainItem): .removeKeychainItem
    case .app(.sealed(let step, with: _)): StepAction.app(step).keyword
    case .code(.perform): .perform
    case .code(.run): .run
    case .relaunch: .relaunch
    case .system(.backup): .backup
    case .system(.purge): .purge
    case .system(.updateApp): .updateApp
    case .system(.updateSystem): .updateSystem
    case .system(.restore), .system(.restoreFolder): .restore
    case .system(.place): .place
    case .system(.offload): .offload
    case .system(.reinstall): .reinstall
    case .system(.kill): .kill
    case .system(.lock(let change)): change.keyword
    case .check(.file): .expectFile
    case .check(.files): .expectFiles
    case .check(.backup): .expectBackup
    }
  }

  package var traits: StepTraits {
    self == .system(.lock(.lockedRestart)) ? keyword.traits.union(.launchesApp) : keyword.traits
  }

  /// The step in a few words: `save Documents/a.txt`.
  package var summary: String { ([keyword.rawValue] + wordsAfterKeyword).joined(separator: " ") }

  private var wordsAfterKeyword: [String] {
    switch self {
    case .app(.change(.move(let path, to: let target, replacing: _), _)),
      .app(.change(.copy(let path, to: let target), _)),
      .app(.change(.link(let path, destination: let target), _)),
      .app(.linkAbsolutely(let path, to: let target)):
      ["\(path) to \(target)"]
    case .app(.change(let operation, _)): ["\(operation.path)"]
    case .app(.read(let path, ifMissing: _)), .system(.place(_, at: let path)),
      .check(.file(let path, _)):
      ["\(path)"]
    case .app(.setDefaults(let defaults, suite: _)):
      [defaults.map { EscapedText.escape($0.key) }.joined(separator: ", ")]
    case .app(.readDefault(let name, expected: _, suite: _)), .app(.setKeychainItem(let name, _)),
      .app(.readKeychainItem(let name, ifMissing: _, expected: _)),
      .app(.removeKeychainItem(let name)),
      .system(.updateApp(to: let name, keeping: _, losing: _)):
      [EscapedText.escape(name)]
    case .app(.sealed(let step, with: _)): StepAction.app(step).wordsAfterKeyword
    case .code(.perform(let name, with: _)): [EscapedText.escape(name)]
    case .code(.run(let words, timeLimit: _)):
      [words.map { EscapedText.escape($0.cut(to: 80)) }.joined(separator: " ").cut(to: 80)]
    case .system(.backup(let label)): ["\"\(EscapedText.escape(label))\""]
    case .system(.purge(let pressure)): [EscapedText.escape(pressure.description)]
    case .system(.updateSystem(to: let system)): [system.name]
    case .system(.restore(let label, to: let destination)):
      ["\"\(EscapedText.escape(label))\""] + destination.wordsAfterLabel
    case .system(.restoreFolder(let place, to: let destination)):
      ["\"\(EscapedText.escape(place.label))\""] + destination.wordsAfterLabel
    case .system(.lock(.lockedRestart)): ["locked"]
    case .relaunch, .system(.lock), .system(.offload), .system(.reinstall), .system(.kill),
      .check(.files),
      .check(.backup):
      []
    }
  }
}

extension RestoreSimulator.Destination {
  fileprivate var wordsAfterLabel: [String] { self == .newDevice ? [] : ["to \(rawValue)"] }
}

extension FileOperation {
  fileprivate var keyword: StepKeyword {
    switch self {
    case .createDirectory: .createDirectory
    case .write: .save
    case .append: .append
    case .move: .move
    case .copy: .copy
    case .remove: .remove
    case .link: .link
    case .setMark(_, on: _, to: let isSet): isSet ? .exclude : .include
    }
  }
}

// The items, labels and names in a step on which other steps depend.
extension StepAction {
  /// The label of the backup that the step takes; nil for any other step.
  var backupLabel: String? {
    if case .system(.backup(let label)) = self { label } else { nil }
  }

  /// The label of the backup whose files the step needs; nil for any other step.
  var neededBackupLabel: String? {
    switch self {
    case .system(.restore(let label, to: _)), .check(.file(_, .sameAs(let label))): label
    default: nil
    }
  }

  /// The lock of the device after the step; nil if the step does not change the lock.
  var resultingLock: DeviceLock? {
    switch self {
    case .system(.lock(let change)): change.resultingLock
    case .system(.restore), .system(.restoreFolder), .system(.updateSystem): .unlocked
    default: nil
    }
  }

  /// The iOS version to which the step updates the device; nil for any other step.
  var newSystem: NamedSystem? {
    if case .system(.updateSystem(to: let system)) = self { system } else { nil }
  }

  var actionName: String? {
    if case .code(.perform(let name, with: _)) = self { name } else { nil }
  }

  /// The only item that a repeatable step touches; nil for any other step.
  ///
  /// A second time, a repeatable step changes nothing, unless another step has touched the item in
  /// the meantime.
  var pathIfRepeatable: ContainerPath? {
    switch self {
    case .app(.change(.write(let path, _, method: _), _)),
      .app(.change(.createDirectory(let path, intermediates: true), _)),
      .app(.change(.setMark(_, on: let path, to: _), _)),
      .app(.read(let path, ifMissing: _)):
      path
    default: nil
    }
  }

  /// The item that the step changes, moves, copies or removes, and that must exist; nil for any
  /// other step.
  var usedPath: ContainerPath? {
    switch self {
    case .app(.change(let operation, _)) where operation.use != nil: operation.usedPath
    case .app(.sealed(let step, with: _)): StepAction.app(step).usedPath
    default: nil
    }
  }

  /// The item that the step creates, and that must not exist before; nil for any other step.
  var newPath: ContainerPath? {
    switch self {
    case .app(.change(.createDirectory(let path, intermediates: false), _)),
      .app(.change(.move(_, to: let path, replacing: false), _)),
      .app(.change(.copy(_, to: let path), _)), .app(.change(.link(let path, destination: _), _)),
      .app(.linkAbsolutely(let path, to: _)):
      path
    case .app(.sealed(let step, with: _)): StepAction.app(step).newPath
    default: nil
    }
  }

  /// The file that the step saves; nil for any other step.
  var savedFile: ContainerPath? {
    switch self {
    case .app(.change(.write(let path, _, method: _), _)): path
    case .app(.sealed(let step, with: _)): StepAction.app(step).savedFile
    default: nil
    }
  }

  /// The item that the step moves over another item; nil for any other step.
  var replacementPath: ContainerPath? {
    if case .app(.change(.move(let path, to: _, replacing: true), _)) = self { path } else { nil }
  }

  /// The keychain item with which the step encrypts its file; nil for any other step.
  var sealingItem: String? {
    if case .app(.sealed(_, with: let name)) = self { name } else { nil }
  }

  /// True if the app reads or changes an existing file, or reads a user default or a keychain item.
  /// On a locked device, this may fail.
  var needsProtectedData: Bool {
    switch self {
    case .app(.read), .app(.readDefault), .app(.readKeychainItem), .app(.change(.append, _)),
      .app(.change(.copy, _)), .app(.change(.write(_, _, method: .inPlace), _)):
      true
    case .app(.sealed(let step, with: _)): StepAction.app(step).needsProtectedData
    default: false
    }
  }
}
