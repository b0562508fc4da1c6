public import BackupScenarios

/// The app, as a process of its own at each launch, whose home is the container.
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
/// The price: nothing is shared with the test. Each launch starts with new objects, so set up
/// whatever stands in for the network in ``launch(_:)`` or in the action. The app's process finds
/// the type by its name, so it may be internal or public, at the top of a file or within other
/// types, but not private and not in a function.
public protocol AppUnderTest: SendableMetatype {
  /// What the app does at every start; nothing by default.
  ///
  /// - Parameter launch: What it finds.
  /// - Throws: An error fails the step that started the app.
  static func launch(_ launch: ActionCall.Launch) async throws

  /// What the app itself takes for granted, such as that its index names no missing file and its
  /// database opens; nothing by default.
  ///
  /// It runs after the start that follows a kill, or a system event such as a purge or a restore, on
  /// a copy of the container: what it changes is of no account, and what it reads says nothing of
  /// the app.
  ///
  /// - Parameter launch: What that start found, with the copy as the container.
  /// - Throws: An error is the finding `app-check-failed`, as is an expectation that fails.
  static func check(_ launch: ActionCall.Launch) async throws

  /// The app's own code, by the names that scenarios have for it.
  ///
  /// The standard suite performs `save.critical`, `load.offline`, `delete.temporary` and the like.
  static var actions: AppActions { get }

  /// The app's bundle identifier in the standard suite; a scenario has its own in `app`.
  static var bundleIdentifier: String { get }

  /// The classes of the app's files in the standard suite, by pattern, relative to the container;
  /// the first pattern that matches decides. A scenario has its own in `files`.
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

  /// No files, for an app that is not tested by the standard suite.
  public static var files: KeyValuePairs<String, DataClass> { [:] }

  /// No groups, for an app that is in none.
  public static var groups: [String] { [] }

  /// No extensions, for an app that has none.
  public static var extensions: [String] { [] }

  /// What a start finds; its name within the app's type.
  public typealias AppLaunch = ActionCall.Launch

  /// Does nothing.
  ///
  /// - Parameter launch: What the app finds.
  /// - Throws: Nothing.
  public static func launch(_ launch: ActionCall.Launch) async throws {
    launch.isUnused.withLock { $0 = true }
  }

  /// Checks nothing.
  ///
  /// - Parameter launch: What the app finds.
  /// - Throws: Nothing.
  public static func check(_ launch: ActionCall.Launch) async throws {
    launch.isUnchecked.withLock { $0 = true }
  }
}
