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
  /// The identifiers of its groups, each beginning with `group.`.
  public let groups: [String]
  /// The bundle identifiers of its extensions, each beginning with the app's and a dot.
  public let extensions: [String]
  /// The classes of its files; the first pattern that matches decides.
  public let files: KeyValuePairs<String, DataClass>
  private(set) var actions = AppActions()
  private(set) var classes: Set<DataClass> = []
  private var loadedClasses: Set<DataClass> = []
  private var deletedClasses: Set<DataClass> = []

  /// Creates an app without bound actions.
  ///
  /// - Parameters:
  ///   - bundleIdentifier: The app's bundle identifier.
  ///   - groups: The identifiers of its groups, each once; an action finds the container of one by
  ///     `action.container.url(ofGroup:)`.
  ///   - extensions: The bundle identifiers of its extensions, each once.
  ///   - files: The classes of its files by pattern, relative to the container, or `group.x:/…` for
  ///     those in a group's; the first pattern that matches decides.
  public init(
    bundleIdentifier: String, groups: [String] = [], extensions: [String] = [],
    files: KeyValuePairs<String, DataClass>
  ) {
    self.bundleIdentifier = bundleIdentifier
    self.groups = groups
    self.extensions = extensions
    self.files = files
    actions.bind(Self.launchName) { _ in }
  }

  /// Binds the code that the app runs at every start; none by default.
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
    actions.bind(Self.launchName, code)
  }

  /// Binds the code that saves an item of a class, the same item each time.
  ///
  /// The suite leaves out classes without a saved item. A secret that goes into the keychain makes
  /// no file, which is right. If it makes one, no backup may contain the file, with or without a
  /// mark.
  ///
  /// ```swift
  /// cinema.save(.offline) { action in
  ///   try MovieStore(root: action.container.url).save(Data(count: 9), id: 1)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - dataClass: The class, which must also be the item's class in `files`.
  ///   - code: The app's code. An error that it throws fails the scenario.
  public mutating func save(_ dataClass: DataClass, _ code: @escaping AppActions.Code) {
    classes.insert(dataClass)
    actions.bind(Self.name("save", dataClass), code)
    for word in ["load", "delete"] where !actions.names.contains(Self.name(word, dataClass)) {
      actions.bind(Self.name(word, dataClass)) { _ in }
    }
  }

  /// Binds the code that loads the saved item of a class.
  ///
  /// The code must handle a missing item by fetching it, creating it again or doing without it. A
  /// critical item is never missing. A secret may be.
  ///
  /// ```swift
  /// cinema.load(.offline) { action in
  ///   let store = MovieStore(root: action.container.url)
  ///   if try store.movie(1) == nil { try store.save(Data(count: 9), id: 1) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - dataClass: The class.
  ///   - code: The app's code. An error that it throws fails the scenario.
  public mutating func load(_ dataClass: DataClass, _ code: @escaping AppActions.Code) {
    loadedClasses.insert(dataClass)
    actions.bind(Self.name("load", dataClass), code)
  }

  /// Binds the code that deletes an item of a class when the app no longer needs it.
  ///
  /// The suite deletes only temporary items, and rejects an app that binds another class.
  ///
  /// ```swift
  /// cinema.delete(.temporary) { action in
  ///   try FileManager.default.removeItem(at: action.container.temporary.appending(path: "part"))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - dataClass: The class, `DataClass.temporary`.
  ///   - code: The app's code. An error that it throws fails the scenario.
  public mutating func delete(_ dataClass: DataClass, _ code: @escaping AppActions.Code) {
    deletedClasses.insert(dataClass)
    actions.bind(Self.name("delete", dataClass), code)
  }

  /// The classes that `files` names but the app does not save, in the order of the classes.
  var unsavedClasses: [DataClass] {
    let named = Set(files.map(\.value))
    return DataClass.allCases.filter { named.contains($0) && !classes.contains($0) }
  }

  /// Creates an app from a type that runs in its own process, by the names of the type's actions.
  init(_ app: (some AppUnderTest).Type) throws(RunError) {
    self.init(
      bundleIdentifier: app.bundleIdentifier, groups: app.groups, extensions: app.extensions,
      files: app.files)
    let bindings = app.actions.bindings
    var performedNames: [String] = []
    for dataClass in DataClass.allCases {
      let names = ["save", "load", "delete"].map { Self.name($0, dataClass) }
      performedNames += names
      if let save = bindings[names[0]] { self.save(dataClass, save.code) }
      if let load = bindings[names[1]] { self.load(dataClass, load.code) }
      if let delete = bindings[names[2]] { self.delete(dataClass, delete.code) }
    }
    let unknown = app.actions.names.first { name in
      ["save.", "load.", "delete."].contains(where: name.hasPrefix)
        && !performedNames.contains(name)
    }
    if let unknown {
      throw RunError(
        .invalidApp,
        "the suite performs no action '\(unknown)', so it would not be tested; "
          + NearestWord.advice(for: unknown, in: performedNames))
    }
    guard classes.isEmpty else { return }
    throw RunError(
      .invalidApp,
      "\(app) has no action that the standard suite performs; bind save.critical, save.offline or "
        + "the like in 'actions', and name the files in 'files'")
  }

  var identity: Scenario.App {
    Scenario.App(bundleIdentifier: bundleIdentifier, groups: groups, extensions: extensions)
  }

  /// The reason that nothing can be tested with this app; nil if there is none.
  var problem: String? {
    if let problem = identity.problem { return problem }
    let unsupported = deletedClasses.subtracting([.temporary]).map(\.rawValue).sorted().first
    if let unsupported {
      return "the suite deletes only temporary items, not items of class \(unsupported): remove "
        + "app.delete(.\(unsupported))"
    }
    let used = loadedClasses.union(deletedClasses)
    let unsaved = used.subtracting(classes).map(\.rawValue).sorted().first
    return unsaved.map {
      "an item of class \($0) is loaded or deleted, but never saved: also bind app.save(.\($0))"
    }
  }

  private static let launchName = "launch"

  /// Returns the name of an action in the suite's scenarios, such as `save.offline`.
  static func name(_ word: String, _ dataClass: DataClass) -> String {
    "\(word).\(dataClass.rawValue)"
  }
}
