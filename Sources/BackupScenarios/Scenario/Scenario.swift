public import BackupDevice
public import BackupDiagnostics
package import BackupFileTree
package import BackupJSON5

/// A scenario: the steps of an app and of iOS, with the results that the test expects.
public struct Scenario: Sendable, CustomStringConvertible {
  /// The app that a scenario is about: its identifiers and its first version.
  public struct App: Hashable, Sendable {
    /// The app's bundle identifier, which names its bundle and preferences in the container.
    public var bundleIdentifier: String
    /// The app's version before the first update.
    public var version: String
    /// The identifiers of the app's groups, each beginning with `group.` (`documented`: Apple, *App
    /// Groups Entitlement*). In paths, a group's container is `group.x:/`.
    public var groups: [String]
    /// The bundle identifiers of the app's extensions, each beginning with the app's bundle
    /// identifier and a dot. In paths, an extension's container is `com.example.app.widget:/`.
    public var extensions: [String]

    /// Creates an app. The default values are those of a scenario without the key `app`.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: The app's bundle identifier.
    ///   - version: The app's version before the first `updateApp` step, such as `1.0`.
    ///   - groups: The identifiers of the app's groups, each once.
    ///   - extensions: The bundle identifiers of the app's extensions, each once.
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

  /// The path in the scenario folder, without the extension: `marks/movie-saved-twice`.
  public let id: String
  /// The path of the file, as it was given to the kit.
  public let file: String
  /// The title: a sentence about the behavior that the scenario shows.
  public let title: String
  /// The position of the title in the scenario file.
  package internal(set) var titlePosition = SourcePosition.start
  /// The ids of the requirements that the scenario shows, with their positions in the file.
  public let requirements: [Located<String>]
  /// The app whose files the scenario is about.
  public internal(set) var app: App
  /// The versions of iOS under which the scenario runs.
  public internal(set) var systems: [SystemVersion]
  /// The version that `newest` stands for in the file; nil if the file names all versions by
  /// number.
  package let newestSystem: SystemVersion?
  /// The kinds of backup with which the scenario runs.
  public let backups: [SystemProfile.BackupKind]
  /// The way in which iOS treats marks.
  public let guidance: SystemProfile.Guidance
  /// The app's promises about its files; nil for none. The scenario's own promises come before the
  /// shared promises.
  public internal(set) var files: FilePromises?
  /// The promises that all scenarios and tests of the app share; nil for none.
  package internal(set) var sharedPromises: FilePromises?
  package let goldenOptions: GoldenOptions
  /// The limits for each backup; nil for no limits.
  public let budget: Budget?
  /// The limits for the app's files on the device; nil for no limits.
  public let storage: Budget?
  /// The captured container that the kit copies before the first step; nil for a new container.
  package var start: Start?
  /// The steps of each launch.
  public internal(set) var launch: [Step]
  /// The steps of the app and of iOS, and the assertions, in order.
  public internal(set) var steps: [Step]
  /// The findings that must occur.
  public let expectations: [Expectation]
  package var exploration = ExplorationOptions()
  /// The words by which `run --tag` selects the scenario.
  package internal(set) var tags: [String] = []
  /// The names of user defaults and keychain items whose values are valid on one device only.
  package internal(set) var deviceValueNames: [Located<String>] = []
  /// The issue that the scenario is about, as a link or a number; nil for none.
  package internal(set) var bug: String?
  /// The contents of the file; nil for a scenario without a file.
  package var fileValue: LocatedValue?
  /// True if the scenario was written for any app, and ``adapted(to:files:systems:)`` has set its
  /// app.
  package private(set) var isAdapted = false
  /// The mistakes in the scenario file. A scenario with mistakes cannot run.
  package private(set) var mistakes: [ScenarioDiagnostic] = []

  /// True if the scenario file names the directory `tmp` of the app or of an extension, or an item
  /// in it.
  package var namesTemporaryFolder: Bool {
    fileValue?.containsText { text in
      let path = text.split(separator: ":/", maxSplits: 1).last ?? ""
      return path == "tmp" || path.hasPrefix("tmp/")
    } ?? false
  }

  /// Returns the scenario for another app, with the promises of the other app. If `systems` is nil,
  /// the scenario keeps its systems.
  package func adapted(
    to app: App, files: FilePromises, systems: [SystemVersion]? = nil
  ) -> Scenario {
    var scenario = self
    scenario.isAdapted = true
    scenario.app = app
    scenario.files = files
    scenario.fileValue = fileValue?.setting("app", to: app.fileValue).setting(
      "files", to: files.fileValue)
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

  /// The steps that run the app's own code.
  package var stepsRunningCode: [Step] {
    (launch + steps).filter(\.runsCode)
  }

  /// True if the app is on the device after the last step.
  package var hasAppAtEnd: Bool {
    let lastChange = steps.last { !$0.action.traits.isDisjoint(with: [.installsApp, .removesApp]) }
    return lastChange?.action.traits.contains(.removesApp) != true
  }

  /// True if the scenario requires something beside the rules: an assertion, an expected finding,
  /// an expected failure of a step, or a kill that the app must survive.
  package var hasExpectations: Bool {
    !expectations.isEmpty
      || (launch + steps).contains { step in
        step.isAssertion || step.mustFail || step.interruptionPoint != nil
      }
  }

  /// Each system with each kind of backup, in the order of the file.
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
  package var scenarioFolder: String {
    let depth = id.split(separator: "/").count
    let pathComponents = file.split(separator: "/", omittingEmptySubsequences: false)
    return pathComponents.dropLast(depth).joined(separator: "/")
  }

  /// A value with its position in the scenario file.
  public struct Located<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The position at which the value begins.
    public let position: SourcePosition
  }

  /// A system and a kind of backup under which a scenario runs.
  public struct Variant: Hashable, Sendable, CustomStringConvertible {
    /// The device's version of iOS before the first update.
    public let system: SystemVersion
    /// The kind of the device's backups.
    public let backups: SystemProfile.BackupKind

    /// Creates a variant.
    ///
    /// - Parameters:
    ///   - system: The device's version of iOS before the first update.
    ///   - backups: The kind of the device's backups.
    public init(system: SystemVersion, backups: SystemProfile.BackupKind) {
      self.system = system
      self.backups = backups
    }

    /// The variant as reports name it, such as `iOS 18, iCloud`.
    public var description: String { "iOS \(system), \(backups.rawValue)" }
  }

  /// The contents of the scenario file in a standard format, followed by the classes of the app's
  /// files.
  package var text: String { (fileValue?.fileText ?? "") + (files?.fileValue.fileText ?? "") }

  package var backupSteps: [StepReference] {
    steps.filter { $0.action.backupLabel != nil }.map(\.reference)
  }

  /// Returns the text of a scenario file with the current steps and promises, for one variant. The
  /// other keys come from the scenario's own file.
  package func document(titled title: String, under variant: Variant) -> String {
    var file = LocatedValue.object([])
    file.set("title", .string(title))
    for key in ["app", "guidance", "defaults", "budget", "storage", "start"] {
      file.set(key, fileValue?[key])
    }
    file.set("system", .string("\(variant.system)"))
    file.set("backups", .string(variant.backups.rawValue))
    file.set("files", files?.fileValue)
    if !launch.isEmpty { file.set("launch", .array(launch.map(\.fileValue))) }
    file.set("steps", .array(steps.map(\.fileValue)))
    return file.fileText
  }

  /// A captured container that the kit copies before the first step.
  package struct Start: Hashable, Sendable {
    /// The container's folder, relative to the folder that contains the scenario folder.
    let container: String
    /// The file with the list of the items' marks, relative to the same folder. nil for the list in
    /// the container itself, if the container has one.
    let marks: String?
    let position: SourcePosition

    /// The reference to use in place of a step while the kit copies the container.
    package var reference: StepReference {
      StepReference(number: .found, position: position, summary: "start")
    }
  }

  /// A backup folder from which a step restores.
  package struct BackupFolderReference: Hashable, Sendable {
    /// The folder, relative to the folder that contains the scenario folder.
    let path: String
    /// The bundle identifier of the app that was backed up; nil for the scenario's own.
    let app: String?

    /// The name of the backup in golden files and messages.
    var label: String { "folder \(path)" }
  }

  /// The id. Swift Testing shows it as the name of the test case.
  public var description: String { id }
}

extension Scenario {
  /// Creates a placeholder for a file with mistakes, so that a test can report the mistakes and run
  /// the other scenarios.
  package init(mistaken mistakes: [ScenarioDiagnostic], id: String, file: String) {
    self.init(
      id: id, file: file, title: "", requirements: [], app: App(), systems: [], newestSystem: nil,
      backups: [], guidance: .honoured, files: nil, goldenOptions: GoldenOptions(), budget: nil,
      storage: nil, start: nil, launch: [], steps: [], expectations: [])
    self.mistakes = mistakes
  }
}

extension Scenario.Located: Equatable where Value: Equatable {}
extension Scenario.Located: Hashable where Value: Hashable {}

extension Scenario.App {
  /// Returns the path of the file with the user defaults of the app, of an extension or of a suite.
  /// Returns nil if the name cannot be the name of a file. A suite with the name of a group is in
  /// the container of the group.
  package func preferencesPath(
    of suite: String? = nil, in extensionIdentifier: String? = nil
  ) -> ContainerPath? {
    let containerName = suite.flatMap { groups.contains($0) ? $0 : nil } ?? extensionIdentifier
    let directory = ContainerPath.StandardLocation.preferences.rawValue
    let fileName = suite ?? extensionIdentifier ?? bundleIdentifier
    return ContainerPath(
      ifValid: "\(containerName.map { "\($0):/" } ?? "")\(directory)/\(fileName).plist")
  }

  /// The files that Foundation itself keeps in the containers of an app: preferences, cookies and
  /// the files of `URLCache`.
  var foundationFilePatterns: [PathPattern] {
    let patterns =
      ["Library/Preferences/*.plist", "Library/Cookies/Cookies.binarycookies"]
      + ([bundleIdentifier] + extensions).flatMap {
        ["Library/Caches/\($0)/fsCachedData/**", "Library/Caches/\($0)/Cache.db*"]
      }
    let otherPatterns = (groups + extensions).flatMap { name in patterns.map { "\(name):/\($0)" } }
    return (patterns + otherPatterns).compactMap { PathPattern(ifValid: $0) }
  }

  /// The app in the form of a scenario file.
  var fileValue: LocatedValue {
    var value = LocatedValue.object([
      ("bundleIdentifier", .string(bundleIdentifier)), ("version", .string(version)),
    ])
    for (key, identifiers) in [("groups", groups), ("extensions", extensions)]
    where !identifiers.isEmpty {
      value.set(key, .array(identifiers.map(LocatedValue.string)))
    }
    return value
  }
}

extension FilePromises {
  /// The promises in the form of a scenario file.
  var fileValue: LocatedValue {
    .object(promises.map { (key: "\($0.pattern)", value: .string($0.dataClass.rawValue)) })
  }
}
