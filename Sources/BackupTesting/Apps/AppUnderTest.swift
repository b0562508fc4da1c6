import BackupDiagnostics
public import BackupScenarios

/// An app that the kit runs in a new process at each launch, with the container as its home folder.
///
/// ```swift
/// enum CinemaApp: AppUnderTest {
///   static let actions: AppActions = [
///     "downloadMovie": { action in
///       try MovieStore(root: action.container.url)
///         .save(Data(count: 700), id: action.argument("id"))
///     }
///   ]
/// }
/// ```
///
/// The app and the test share no objects or variables. For example, if a test replaces the network
/// with a mock, create the mock in ``launch(_:)`` or in the action.
///
/// The app's process finds the type by its name. Declare the type as internal or public, at the top
/// level of a file or in another type, but not in a function.
public protocol AppUnderTest: SendableMetatype {
  /// Runs the code that the app runs at each launch; does nothing by default.
  ///
  /// - Parameter launch: The launch, with the container and the versions of the app and of iOS.
  /// - Throws: An error, which fails the step that launched the app.
  static func launch(_ launch: ActionCall.Launch) async throws

  /// Checks whether the app's files are consistent; does nothing by default.
  ///
  /// The kit calls this method after a launch that follows a kill, or a system event such as a
  /// purge, an update or a restore. The method gets a copy of the container, so its changes have no
  /// effect. Rules do not judge its reads.
  ///
  /// - Parameter launch: The launch that preceded the check. Its container is the copy.
  /// - Throws: An error, which becomes the finding `app-check-failed`. An expectation that fails
  ///   becomes the same finding.
  static func check(_ launch: ActionCall.Launch) async throws

  /// The app's actions: code with a name, which `perform` steps of scenarios run.
  ///
  /// The standard suite runs actions with names such as `save.critical`, `load.offline` and
  /// `delete.temporary`.
  static var actions: AppActions { get }

  /// The app's bundle identifier in the standard suite.
  ///
  /// A scenario file has its own bundle identifier, in `app`.
  static var bundleIdentifier: String { get }

  /// The classes of the app's files, by pattern.
  ///
  /// A pattern is relative to the container, such as `Documents/**`. If several patterns match a
  /// file, the first decides. Patterns in the `files` of a scenario or of a test's container take
  /// precedence over these patterns.
  ///
  /// The classes apply in each scenario and test that runs the app, and in the standard suite. The
  /// command-line tool does not read this property: it reads `app.json5` in the scenario folder. If
  /// that file exists, write the same classes in both.
  static var files: KeyValuePairs<String, DataClass> { get }

  /// The identifiers of the app's groups in the standard suite; none by default.
  ///
  /// Each begins with `group.`.
  static var groups: [String] { get }

  /// The bundle identifiers of the app's extensions in the standard suite; none by default.
  ///
  /// Each begins with the app's bundle identifier and a dot.
  static var extensions: [String] { get }
}

extension AppUnderTest {
  /// The bundle identifier `com.example.app`, which a scenario without `app` also has.
  public static var bundleIdentifier: String { Scenario.App().bundleIdentifier }

  /// No classes. The scenarios and tests then have their own.
  public static var files: KeyValuePairs<String, DataClass> { [:] }

  /// No groups.
  public static var groups: [String] { [] }

  /// No extensions.
  public static var extensions: [String] { [] }

  /// A short name for `ActionCall.Launch` within the app's type.
  public typealias AppLaunch = ActionCall.Launch

  /// Does nothing.
  ///
  /// - Parameter launch: The launch.
  /// - Throws: Nothing.
  public static func launch(_ launch: ActionCall.Launch) async throws {
    launch.usesDefaultLaunch.withLock { $0 = true }
  }

  /// Checks nothing.
  ///
  /// - Parameter launch: The launch.
  /// - Throws: Nothing.
  public static func check(_ launch: ActionCall.Launch) async throws {
    launch.usesDefaultCheck.withLock { $0 = true }
  }
}

extension AppUnderTest {
  /// The classes that apply in all scenarios and tests of the app; nil if `files` is empty. Throws
  /// an error for an invalid pattern.
  static var sharedFiles: FilePromises? {
    get throws(RunError) {
      let (files, name) = (files, "\(Self.self).files")
      guard !files.isEmpty else { return nil }
      return try RunError.addingSubject("\(name):") { () throws(RunError) in
        try FilePromises(files, at: .shared(list: name, nil))
      }
    }
  }
}
