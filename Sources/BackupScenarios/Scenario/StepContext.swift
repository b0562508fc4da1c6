import BackupContainer
import BackupDevice
import BackupFileTree

/// What a step may do to the run that it is part of: the app, its container and the device.
///
/// By it the kinds of step need not know what runs them.
protocol StepContext {
  /// The container as it is now.
  func look() throws(StepFailure) -> FileTree

  /// The label of the latest backup and what it holds; nil where none was taken.
  var latestBackupContent: (label: String, set: BackupSet)? { get }

  /// What a file on disk holds; nothing where there is none.
  func bytes(of path: ContainerPath) throws(StepFailure) -> [UInt8]

  /// How many bytes a file had in the latest backup of a label; nil where that holds no such file.
  func size(of path: ContainerPath, inBackup label: String) throws(StepFailure) -> Int64?

  /// Where a file first holds something else than in the latest backup of a label; nil for nowhere.
  func firstDifference(
    of path: ContainerPath, fromBackup label: String
  ) throws(StepFailure) -> Int64?

  /// The app's defaults, by their keys.
  func defaults() throws(StepFailure) -> [String: DefaultValue]

  /// Sets defaults as the app would.
  mutating func setDefaults(
    _ changes: [(key: String, value: DefaultValue)]
  ) throws(StepFailure)

  /// Does an operation as the app would.
  mutating func perform(_ operation: FileOperation) throws(StepFailure)

  /// Makes a link that was just made hold the absolute path of its destination.
  mutating func makeAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath
  ) throws(StepFailure)

  /// Sets or clears a mark as the app would.
  mutating func setMark(
    _ mark: ExclusionMark, on path: ContainerPath, to isSet: Bool
  ) throws(StepFailure)

  /// Notes that the app read a file without a look whether it is there.
  mutating func noteUncheckedRead(_ path: ContainerPath, isThere: Bool)

  /// Whether a link on the way to an item leads into a container that the app had before.
  func hasStaleLink(onTheWayTo path: ContainerPath) -> Bool

  /// Notes the link into a former container by which the app did not find an item, if any.
  ///
  /// - Parameters:
  ///   - paths: The item, and where that was to go.
  ///   - wrapper: The app's own error around that of the file system, in words.
  /// - Returns: Whether there is such a link.
  mutating func noteStaleLink(
    onTheWayTo paths: [ContainerPath], wrappedIn wrapper: String?
  ) -> Bool

  /// Runs the app's own code that is bound to a name, in an extension where one is named.
  mutating func performAction(
    _ name: String, with arguments: ActionArguments, in identifier: String?
  ) async throws(StepFailure)

  /// Runs code of the app as a process: an executable and its arguments, for at most some seconds.
  mutating func runProcess(_ words: [String], timeLimit: Double) async throws(StepFailure)

  /// Ends the app, if it runs.
  mutating func endApp()

  /// Ends the app and starts it.
  mutating func relaunchApp() async throws(StepFailure)

  /// Takes a backup.
  mutating func takeBackup(_ label: String) throws(StepFailure)

  /// Ends the app and takes what storage pressure asks for.
  mutating func purge(_ pressure: PurgeSimulator.Pressure) throws(StepFailure)

  /// Ends the app and gives it a new version and container path.
  mutating func updateApp(
    to version: String, keeping: [ContainerPath], losing: [PathPattern]
  ) throws(StepFailure)

  /// Ends the app and brings the device to a later system.
  mutating func updateSystem(to later: SystemProfile) throws(StepFailure)

  /// Ends the app and goes on with what a backup holds.
  mutating func restore(
    _ label: String, to destination: RestoreSimulator.Destination
  ) throws(StepFailure)

  /// Ends the app and goes on with what a real backup holds.
  mutating func restore(
    from place: Scenario.BackupPlace, to destination: RestoreSimulator.Destination
  ) throws(StepFailure)

  /// Puts a file into the container as the system does, with the directories above it.
  mutating func place(
    _ contents: FileOperation.Contents, at path: ContainerPath
  ) throws(StepFailure)

  /// Ends the app and takes it off the device; its data stays.
  mutating func offloadApp() throws(StepFailure)

  /// Ends the app and installs it again: after an offload with its data, else as one that was deleted.
  mutating func reinstallApp() throws(StepFailure)
}

/// A step that could not be done.
struct StepFailure: Error, Sendable, CustomStringConvertible {
  /// The kind of failure, for `throws`; nil when it has none.
  let code: FileOperationError.Code?
  /// Why, in a sentence.
  let description: String
  /// Whether a rule reports it, so that the run can go on.
  let isReportedByRule: Bool
  /// Whether `throws` can ask for it; not where the app never got to act.
  let canBeExpected: Bool
  /// Whether the app was killed, as its step says.
  var isKill = false
  /// Whether code of the app's own failed.
  var isOfCode = false
  /// Whether nobody could do such a step as things are.
  var isImpossible = false
  /// The container that could not be read or written, where that is why.
  let cause: FakeContainerError?

  /// A failure in words.
  init(
    _ description: String, code: FileOperationError.Code? = nil, isReportedByRule: Bool = false,
    canBeExpected: Bool = true, cause: FakeContainerError? = nil
  ) {
    self.description = description
    self.code = code
    self.isReportedByRule = isReportedByRule
    self.canBeExpected = canBeExpected
    self.cause = cause
  }

  /// The failure of a step that did not begin, since its test was cancelled.
  static let cancelled = StepFailure(
    "the test was cancelled before this step", canBeExpected: false)

  /// The end of a step in which the app is killed.
  static let killed: StepFailure = {
    var failure = StepFailure("the app was killed", canBeExpected: false)
    failure.isKill = true
    return failure
  }()

  /// A failed file operation.
  init(_ error: FileOperationError, isReportedByRule: Bool = false) {
    self.init(
      error.description, code: error.code, isReportedByRule: isReportedByRule,
      canBeExpected: Self.isAppsOwn(error.code))
  }

  /// Whether a failure of a kind may be the app's, or that of the system it runs on.
  private static func isAppsOwn(_ code: FileOperationError.Code) -> Bool {
    code != .unsupportedName && code != .machineFault
  }

  /// A failed operation of a step; says what to do where a directory is missing.
  init(_ error: FileOperationError, in operation: FileOperation) {
    let isMissingParent = error.code == .noSuchFile && error.path.isAncestor(of: operation.path)
    let advice = isMissingParent ? "; { createDirectory: \"\(error.path)\" } makes it" : ""
    self.init(
      error.description + advice, code: error.code, canBeExpected: Self.isAppsOwn(error.code))
  }

  /// A container that could not be read or written.
  init(_ error: FakeContainerError) {
    self.init(error.description, canBeExpected: false, cause: error)
  }
}
