import BackupDiagnostics
public import BackupScenarios

/// The description of an app for the standard suite: the classes of its files, and a few actions.
///
/// ```swift
/// var cinema = StandardApp(
///   bundleIdentifier: "com.example.cinema",
///   files: ["Documents/**": .critical, "Library/Caches/**": .cached])
/// cinema.save(.critical) { action in
///   try Data("[]".utf8).write(to: action.container.documents.appending(path: "list.json"))
/// }
/// cinema.load(.critical) { action in
///   _ = try Data(contentsOf: action.container.documents.appending(path: "list.json"))
/// }
/// ```
public struct StandardApp: Sendable {
  /// The app's bundle identifier, such as `com.example.cinema`.
  public let bundleIdentifier: String
  /// The identifiers of the app's groups, each beginning with `group.`.
  public let groups: [String]
  /// The bundle identifiers of the app's extensions, such as `com.example.cinema.widget`.
  ///
  /// Each begins with the app's bundle identifier and a dot.
  public let extensions: [String]
  /// The classes of the app's files, by pattern.
  ///
  /// If several patterns match a file, the first decides.
  public let files: KeyValuePairs<String, DataClass>
  private(set) var actions = AppActions()
  /// The classes with a bound `save` action.
  private(set) var savedClasses: Set<DataClass> = []
  private var loadedClasses: Set<DataClass> = []
  private var deletedClasses: Set<DataClass> = []

  /// Creates an app without bound actions.
  ///
  /// - Parameters:
  ///   - bundleIdentifier: The app's bundle identifier.
  ///   - groups: The identifiers of the app's groups, without duplicates. An action finds the
  ///     container of a group with `action.container.url(ofGroup:)`.
  ///   - extensions: The bundle identifiers of the app's extensions, without duplicates.
  ///   - files: The classes of the app's files, by pattern. A pattern is relative to the app's
  ///     container, such as `Documents/**`, or to the container of a group, such as
  ///     `group.x:/Library/**`. If several patterns match a file, the first decides.
  public init(
    bundleIdentifier: String, groups: [String] = [], extensions: [String] = [],
    files: KeyValuePairs<String, DataClass>
  ) {
    self.bundleIdentifier = bundleIdentifier
    self.groups = groups
    self.extensions = extensions
    self.files = files
    actions.bind(Self.launchActionName) { _ in }
  }

  /// Binds the code that the app runs at every launch. Without this call, a launch runs no code.
  ///
  /// ```swift
  /// cinema.launch { action in
  ///   let folder = action.container.applicationSupport
  ///   try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  /// }
  /// ```
  ///
  /// - Parameter code: The app's code. An error that it throws fails the scenario.
  public mutating func launch(_ code: @escaping AppActions.Code) {
    actions.bind(Self.launchActionName, code)
  }

  /// Binds the code that saves an item of a class.
  ///
  /// The suite calls the code several times. The code must save the same item each time. The suite
  /// does not test a class whose `save` is not bound.
  ///
  /// An app should save a secret in the keychain, which creates no file. If it saves the secret in
  /// a file, no backup may contain the file, whether the file has a mark or not.
  ///
  /// ```swift
  /// cinema.save(.offline) { action in
  ///   try MovieStore(root: action.container.url).save(Data(count: 9), id: 1)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - dataClass: The class, which must be the same as the item's class in `files`.
  ///   - code: The app's code. An error that it throws fails the scenario.
  public mutating func save(_ dataClass: DataClass, _ code: @escaping AppActions.Code) {
    savedClasses.insert(dataClass)
    actions.bind(Self.actionName("save", dataClass), code)
    for verb in ["load", "delete"] where !actions.names.contains(Self.actionName(verb, dataClass)) {
      actions.bind(Self.actionName(verb, dataClass)) { _ in }
    }
  }

  /// Binds the code that loads the saved item of a class.
  ///
  /// The item may be missing, for example after a purge. The code must then fetch the item, create
  /// it again or do without it. A critical item is never missing.
  ///
  /// ```swift
  /// cinema.load(.offline) { action in
  ///   let store = MovieStore(root: action.container.url)
  ///   if try store.movie(1) == nil { try store.save(Data(count: 9), id: 1) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - dataClass: The item's class.
  ///   - code: The app's code. An error that it throws fails the scenario.
  public mutating func load(_ dataClass: DataClass, _ code: @escaping AppActions.Code) {
    loadedClasses.insert(dataClass)
    actions.bind(Self.actionName("load", dataClass), code)
  }

  /// Binds the code with which the app deletes an item that it no longer needs.
  ///
  /// The suite deletes only temporary items. It rejects an app that binds this code for another
  /// class.
  ///
  /// ```swift
  /// cinema.delete(.temporary) { action in
  ///   try FileManager.default.removeItem(at: action.container.temporary.appending(path: "part"))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - dataClass: The item's class, which must be `DataClass.temporary`.
  ///   - code: The app's code. An error that it throws fails the scenario.
  public mutating func delete(_ dataClass: DataClass, _ code: @escaping AppActions.Code) {
    deletedClasses.insert(dataClass)
    actions.bind(Self.actionName("delete", dataClass), code)
  }

  /// The classes that `files` contains but no bound action saves, in the order of `DataClass`.
  var unsavedClasses: [DataClass] {
    let classesOfFiles = Set(files.map(\.value))
    return DataClass.allCases.filter { classesOfFiles.contains($0) && !savedClasses.contains($0) }
  }

  /// Creates an app from a type that runs in its own process.
  ///
  /// The suite recognizes the actions by their names: `save.critical` saves a critical item.
  ///
  /// - Throws: `RunError` with the code `.invalidApp` if no action saves an item, or if a name such
  ///   as `save.movies` does not end with a class.
  init(_ app: (some AppUnderTest).Type) throws(RunError) {
    self.init(
      bundleIdentifier: app.bundleIdentifier, groups: app.groups, extensions: app.extensions,
      files: app.files)
    let bindings = app.actions.bindings
    var knownActionNames: [String] = []
    for dataClass in DataClass.allCases {
      let actionNames = ["save", "load", "delete"].map { Self.actionName($0, dataClass) }
      knownActionNames += actionNames
      if let save = bindings[actionNames[0]] { self.save(dataClass, save.code) }
      if let load = bindings[actionNames[1]] { self.load(dataClass, load.code) }
      if let delete = bindings[actionNames[2]] { self.delete(dataClass, delete.code) }
    }
    let unknownName = app.actions.names.first { name in
      ["save.", "load.", "delete."].contains(where: name.hasPrefix)
        && !knownActionNames.contains(name)
    }
    if let unknownName {
      throw RunError(
        .invalidApp,
        "the suite performs no action '\(unknownName)', so it would not be tested; "
          + NearestWord.advice(for: unknownName, in: knownActionNames))
    }
    guard savedClasses.isEmpty else { return }
    throw RunError(
      .invalidApp,
      "\(app) has no action that the standard suite performs; bind save.critical, save.offline or "
        + "the like in 'actions', and name the files in 'files'")
  }

  var scenarioApp: Scenario.App {
    Scenario.App(bundleIdentifier: bundleIdentifier, groups: groups, extensions: extensions)
  }

  /// The mistake in this description for which the suite rejects the app; nil if there is none.
  var problem: String? {
    if let problem = scenarioApp.identifierProblem { return problem }
    let wrongClass = deletedClasses.subtracting([.temporary]).map(\.rawValue).sorted().first
    if let wrongClass {
      return "the suite deletes only temporary items, not items of class \(wrongClass): remove "
        + "app.delete(.\(wrongClass))"
    }
    let usedClasses = loadedClasses.union(deletedClasses)
    let unsavedClass = usedClasses.subtracting(savedClasses).map(\.rawValue).sorted().first
    return unsavedClass.map {
      "an item of class \($0) is loaded or deleted, but never saved: also bind app.save(.\($0))"
    }
  }

  private static let launchActionName = "launch"

  /// Returns the name of an action in the suite's scenarios, such as `save.offline`.
  static func actionName(_ verb: String, _ dataClass: DataClass) -> String {
    "\(verb).\(dataClass.rawValue)"
  }
}
