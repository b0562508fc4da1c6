public import BackupDevice
public import BackupDiagnostics
package import BackupFileTree
package import BackupJSON5

/// One scenario: what an app saves, what the system does, and what must come of it.
public struct Scenario: Sendable, CustomStringConvertible {
  /// The app that a scenario is about: its identifiers and its first version.
  public struct App: Hashable, Sendable {
    /// The name that its bundle and its preferences have in the container.
    public var bundleIdentifier: String
    /// Its version when it is installed.
    public var version: String
    /// The identifiers of the groups whose containers it shares, each beginning with `group.`
    /// (`documented`: Apple, *App Groups Entitlement*). In paths such a container is `group.x:/`.
    public var groups: [String]
    /// The bundle identifiers of its extensions, each beginning with its own and a dot; each has a
    /// container of its own, in paths `com.example.app.widget:/`.
    public var extensions: [String]

    /// An app; the one of scenarios that name none by default.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: Names the bundle, where it is inside the container.
    ///   - version: The app's version at first, such as `1.0`; an `updateApp` step changes it.
    ///   - groups: The identifiers of its groups, each once.
    ///   - extensions: The bundle identifiers of its extensions, each once.
    public init(
      bundleIdentifier: String = "com.example.app", version: String = "1.0",
      groups: [String] = [], extensions: [String] = []
    ) {
      self.bundleIdentifier = bundleIdentifier
      self.version = version
      self.groups = groups
      self.extensions = extensions
    }
  }

  /// The path below the scenario folder without the extension: `marks/movie-saved-twice`.
  public let id: String
  /// The file, as it was named to the kit.
  public let file: String
  /// What it shows, in a sentence.
  public let title: String
  /// Where the file says it.
  package internal(set) var titlePosition = SourcePosition.start
  /// The requirements it shows, with where each stands in the file.
  public let requirements: [Located<String>]
  /// The app whose files the scenario is about.
  public internal(set) var app: App
  /// The versions of iOS it runs under.
  public internal(set) var systems: [SystemVersion]
  /// The one of them that the file calls the newest; nil where it names all by number.
  package let newestSystem: SystemVersion?
  /// The kinds of backup it runs under.
  public let backups: [SystemProfile.BackupKind]
  /// Whether the system keeps to marks.
  public let guidance: SystemProfile.Guidance
  /// What the app promises of its files, in this scenario first and then in all of them; nil where
  /// nothing is said.
  public internal(set) var files: FilePromises?
  /// What it promises in all scenarios and tests; nil for nothing.
  package internal(set) var sharedFiles: FilePromises?
  package let golden: GoldenOptions
  /// The most that a backup may hold; nil for anything.
  public let budget: Budget?
  /// The most that the app may keep on the device; nil for anything.
  public let storage: Budget?
  /// What the container holds before the first step; nil for what a new one has.
  package var start: Start?
  /// The steps at every start of the app.
  public internal(set) var launch: [Step]
  /// What the app and the system do, one after the other, and what is asserted between.
  public internal(set) var steps: [Step]
  /// The findings that must come.
  public let expectations: [Expectation]
  /// Where the system acts beside what the steps say, when that is explored.
  package var exploration = ExplorationOptions()
  /// The words by which the scenario is selected, and the issue that it is about.
  package internal(set) var tags: [String] = []
  /// The names of user defaults and keychain items whose values are for one device.
  package internal(set) var deviceValues: [Located<String>] = []
  package internal(set) var bug: String?
  /// What the file says; nil for a scenario that no file says.
  package var source: LocatedValue?
  /// Whether it was written for any app, and its app came later.
  package private(set) var isAdapted = false
  /// What keeps the file from being read as a scenario, of which nothing can be run then; empty for a
  /// scenario.
  package private(set) var mistakes: [ScenarioDiagnostic] = []

  /// Whether the file names `tmp`, of the app or of an extension, or an item in it.
  package var namesTemporaryFolder: Bool {
    source?.contains { text in
      let path = text.split(separator: ":/", maxSplits: 1).last ?? ""
      return path == "tmp" || path.hasPrefix("tmp/")
    } ?? false
  }

  /// The same scenario for another app and what it promises, by default under the systems of the
  /// file.
  package func adapted(
    to app: App, files: FilePromises, systems: [SystemVersion]? = nil
  ) -> Scenario {
    var scenario = self
    scenario.isAdapted = true
    scenario.app = app
    scenario.files = files
    scenario.source = source?.setting("app", to: app.value).setting("files", to: files.value)
    scenario.systems = systems ?? self.systems
    return scenario
  }

  package var actionNames: [String] {
    (launch + steps).compactMap(\.action.actionName)
  }

  /// The keychain items with which steps encrypt files.
  package var sealingItems: Set<String> {
    Set((launch + steps).compactMap(\.action.sealingItem))
  }

  /// The steps that run code of the app's own; the kit sees only what such code leaves.
  package var stepsOfCode: [Step] {
    (launch + steps).filter(\.runsCode)
  }

  package var hasAppAtEnd: Bool {
    let last = steps.last { !$0.action.traits.isDisjoint(with: [.installsApp, .removesApp]) }
    return last?.action.traits.contains(.removesApp) != true
  }

  /// Whether anything must hold in it but that no rule is broken: an assertion, a finding, a
  /// failure of a step, or that the app survives being killed in one.
  package var demandsSomething: Bool {
    !expectations.isEmpty
      || (launch + steps).contains { step in
        step.isAssertion || step.mustFail || step.killed != nil
      }
  }

  /// Every system with every kind of backup, in the order of the file.
  public var variants: [Variant] {
    systems.flatMap { system in backups.map { Variant(system: system, backups: $0) } }
  }

  package func replacing(launch: [Step], steps: [Step], files: FilePromises?) -> Scenario {
    var scenario = self
    scenario.launch = launch
    scenario.steps = steps
    scenario.files = files
    return scenario
  }

  /// The scenario folder: the file's path without the id; empty for the working directory.
  package var folder: String {
    let depth = id.split(separator: "/").count
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(depth).joined(separator: "/")
  }

  /// A value and where it stands in a file.
  public struct Located<Value: Sendable>: Sendable {
    /// What the file says there.
    public let value: Value
    /// Where the value begins in the scenario file.
    public let position: SourcePosition
  }

  /// One system and one kind of backup that a scenario runs under.
  public struct Variant: Hashable, Sendable, CustomStringConvertible {
    /// The version of iOS the device has at first.
    public let system: SystemVersion
    /// Where the device's backups go.
    public let backups: SystemProfile.BackupKind

    /// A system with a kind of backup.
    ///
    /// - Parameters:
    ///   - system: The version of iOS the device has at first.
    ///   - backups: Where its backups go.
    public init(system: SystemVersion, backups: SystemProfile.BackupKind) {
      self.system = system
      self.backups = backups
    }

    /// The variant as reports name it, such as `iOS 18, iCloud`.
    public var description: String { "iOS \(system), \(backups.rawValue)" }
  }

  /// What the file says, in a form of its own, and the classes that its app's scenarios share.
  package var text: String { (source?.document ?? "") + (files?.value.document ?? "") }

  package var backupSteps: [StepReference] {
    steps.filter { $0.action.backupLabel != nil }.map(\.reference)
  }

  /// A scenario file that says the same, under one system and backup kind, of a scenario that came
  /// from one and has been given other steps and promises.
  package func document(titled title: String, under variant: Variant) -> String {
    var file = LocatedValue.object([])
    file.set("title", .string(title))
    for key in ["app", "guidance", "defaults", "budget", "storage", "start"] {
      file.set(key, source?[key])
    }
    file.set("system", .string("\(variant.system)"))
    file.set("backups", .string(variant.backups.rawValue))
    file.set("files", files?.value)
    if !launch.isEmpty { file.set("launch", .array(launch.map(\.value))) }
    file.set("steps", .array(steps.map(\.value)))
    return file.document
  }

  /// What the container holds before the first step, beside what any new one has.
  package struct Start: Hashable, Sendable {
    /// The folder of a container, from the folder that holds the scenario folder.
    let container: String
    /// The list of its items' marks, from the same folder; nil for the list in the container, if
    /// it has one.
    let marks: String?
    let position: SourcePosition

    /// What stands for a step while it is done.
    package var reference: StepReference {
      StepReference(number: .found, position: position, summary: "start")
    }
  }

  /// A backup folder that a step restores from.
  package struct BackupPlace: Hashable, Sendable {
    /// The folder, from the folder that holds the scenario folder.
    let path: String
    /// The bundle identifier of the app that was backed up; nil for the scenario's own.
    let app: String?

    /// What golden files and messages name the backup by.
    var label: String { "folder \(path)" }
  }

  /// The id, as Swift Testing names the test case.
  public var description: String { id }
}

extension Scenario {
  /// Creates what stands for the scenario of a file with mistakes, so that a test fails by it and runs the
  /// others.
  package init(mistaken mistakes: [ScenarioDiagnostic], id: String, file: String) {
    self.init(
      id: id, file: file, title: "", requirements: [], app: App(), systems: [], newestSystem: nil,
      backups: [], guidance: .honoured, files: nil, golden: GoldenOptions(), budget: nil,
      storage: nil, start: nil, launch: [], steps: [], expectations: [])
    self.mistakes = mistakes
  }
}

extension Scenario.Located: Equatable where Value: Equatable {}
extension Scenario.Located: Hashable where Value: Hashable {}

extension Scenario.App {
  /// Where its defaults are, an extension's, or those of a suite, which of a group's name is in the group's
  /// container; nil if the identifier names no file.
  package func preferences(
    of suite: String? = nil, in extensionIdentifier: String? = nil
  ) -> ContainerPath? {
    let container = suite.flatMap { groups.contains($0) ? $0 : nil } ?? extensionIdentifier
    let directory = ContainerPath.StandardLocation.preferences.rawValue
    let name = suite ?? extensionIdentifier ?? bundleIdentifier
    return ContainerPath(
      ifValid: "\(container.map { "\($0):/" } ?? "")\(directory)/\(name).plist")
  }

  /// What Foundation keeps of its own for an app that has a home, in its container and those of its
  /// extensions: preferences, cookies and what `URLCache` has.
  var filesOfFoundation: [PathPattern] {
    let patterns =
      ["Library/Preferences/*.plist", "Library/Cookies/Cookies.binarycookies"]
      + ([bundleIdentifier] + extensions).flatMap {
        ["Library/Caches/\($0)/fsCachedData/**", "Library/Caches/\($0)/Cache.db*"]
      }
    let beside = (groups + extensions).flatMap { name in patterns.map { "\(name):/\($0)" } }
    return (patterns + beside).compactMap { PathPattern(ifValid: $0) }
  }

  /// What a scenario file says of it.
  var value: LocatedValue {
    var value = LocatedValue.object([
      ("bundleIdentifier", .string(bundleIdentifier)), ("version", .string(version)),
    ])
    for (key, list) in [("groups", groups), ("extensions", extensions)] where !list.isEmpty {
      value.set(key, .array(list.map(LocatedValue.string)))
    }
    return value
  }
}

extension FilePromises {
  /// What a scenario file says of them.
  var value: LocatedValue {
    .object(promises.map { (key: "\($0.pattern)", value: .string($0.dataClass.rawValue)) })
  }
}
