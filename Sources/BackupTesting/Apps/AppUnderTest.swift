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
/// The app shares nothing with the test. Each launch starts with new objects, so set up whatever
/// stands in for the network in ``launch(_:)`` or in the action.
///
/// The app's process finds the type by its name. So the type may be internal or public, at the top
/// level of a file or nested in other types. It may not be private or declared in a function.
public protocol AppUnderTest: SendableMetatype {
  /// Runs the app's code for every start; does nothing by default.
  ///
  /// - Parameter launch: The launch, with the container and the versions that the app finds.
  /// - Throws: An error, which fails the step that started the app.
  static func launch(_ launch: ActionCall.Launch) async throws

  /// Checks the app's own assumptions; does nothing by default.
  ///
  /// The kit calls it after the start that follows a kill, or an event of iOS such as a purge, an update, a restore or
  /// a reinstallation. It runs on a copy of the container, so its changes have no effect, and its reads do not count
  /// as the app's.
  ///
  /// - Parameter launch: The launch that preceded the check, with the copy as its container.
  /// - Throws: An error, which becomes the finding `app-check-failed`. An expectation that fails
  ///   becomes the same finding.
  static func check(_ launch: ActionCall.Launch) async throws

  /// The app's own code, by the action names that scenarios use.
  ///
  /// The standard suite performs `save.critical`, `load.offline`, `delete.temporary` and the like.
  static var actions: AppActions { get }

  /// The app's bundle identifier in the standard suite; a scenario has its own in `app`.
  static var bundleIdentifier: String { get }

  /// The classes of the app's files, by pattern, relative to the container; the first pattern that
  /// matches decides.
  ///
  /// They hold in each scenario and each test that runs the app, and in the standard suite. The patterns
  /// in a scenario's `files`, or in those of a test's container, come first. If the scenario folder has
  /// an `app.json5`, it must give the same classes, because the command line does not read this property.
  static var files: KeyValuePairs<String, DataClass> { get }

  /// The identifiers of the app's groups in the standard suite, each beginning with `group.`; none
  /// by default.
  static var groups: [String] { get }

  /// The bundle identifiers of the app's extensions in the standard suite, each beginning with the
  /// app's and a dot; none by default.
  static var extensions: [String] { get }
}

extension AppUnderTest {
  /// `com.example.app`, as in a scenario without `app`.
  public static var bundleIdentifier: String { Scenario.App().bundleIdentifier }

  /// No classes, for an app whose scenarios and tests have their own.
  public static var files: KeyValuePairs<String, DataClass> { [:] }

  /// No groups, for an app that is in none.
  public static var groups: [String] { [] }

  /// No extensions, for an app that has none.
  public static var extensions: [String] { [] }

  /// A launch; a short name for use within the app's type.
  public typealias AppLaunch = ActionCall.Launch

  /// Does nothing.
  ///
  /// - Parameter launch: The launch.
  /// - Throws: Nothing.
  public static func launch(_ launch: ActionCall.Launch) async throws {
    launch.isUnused.withLock { $0 = true }
  }

  /// Checks nothing.
  ///
  /// - Parameter launch: The launch.
  /// - Throws: Nothing.
  public static func check(_ launch: ActionCall.Launch) async throws {
    launch.isUnchecked.withLock { $0 = true }
  }
}

extension AppUnderTest {
  /// The classes for all scenarios and tests of the app; nil for none. Throws an error for an invalid pattern.
  static var sharedFiles: FilePromises? {
    get throws(RunError) {
      let (files, name) = (files, "\(Self.self).files")
      guard !files.isEmpty else { return nil }
      return try RunError.naming("\(name):") { () throws(RunError) in
        try FilePromises(files, at: .shared(list: name, nil))
      }
    }
  }
}
