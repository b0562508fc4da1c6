import BackupDevice
import BackupFileTree

/// What steps act on: an app with its container on a device, whether on a disk or thought out.
protocol StepContext {
  /// The container as it is now.
  func scan() throws(StepFailure) -> FileTree

  /// The label of the latest backup and what it holds; nil where none was taken.
  var latestBackupContent: (label: String, set: BackupSet)? { get }

  /// Does an operation as the app would.
  mutating func perform(_ operation: FileOperation) throws(StepFailure)

  /// Sets or clears a mark as the app would.
  mutating func setMark(
    _ mark: ExclusionMark, on path: ContainerPath, to isSet: Bool
  ) throws(StepFailure)

  /// Notes that the app read a file that is not there, unchecked.
  mutating func noteReadMissing(_ path: ContainerPath)

  /// Runs the app's own code that is bound to a name.
  mutating func performAction(
    _ name: String, with arguments: ActionArguments
  ) async throws(StepFailure)

  /// Runs code of the app as a process: an executable and its arguments, for at most some seconds.
  mutating func runProcess(_ words: [String], timeLimit: Double) async throws(StepFailure)

  /// Ends the app and starts it.
  mutating func relaunchApp() async throws(StepFailure)

  /// Takes a backup.
  mutating func takeBackup(_ label: String) throws(StepFailure)

  /// Ends the app and takes what storage pressure asks for.
  mutating func purge(_ pressure: StoragePressure) throws(StepFailure)

  /// Ends the app and gives it a new version and container path.
  mutating func updateApp(to version: String, keeping: [ContainerPath]) throws(StepFailure)

  /// Ends the app and brings the device to a later system.
  mutating func updateSystem(to later: SystemProfile) throws(StepFailure)

  /// Ends the app and goes on with what a backup holds, on a new device.
  mutating func restore(_ label: String) throws(StepFailure)
}
