import BackupApp
public import BackupScenarios
public import BackupVerdicts

extension Scenario {
  /// What a run of a scenario in a test may do and take, and where its golden file is.
  ///
  /// ```swift
  /// await scenario.run(CinemaApp.self, options: Scenario.RunOptions(allowsBackups: true))
  /// ```
  public struct RunOptions: Hashable, Sendable {
    /// How long a start or an action of the app may take before its process is killed and the step
    /// fails; nil for no limit. An app in the test's own process has none.
    public var timeLimit: Duration?
    /// Whether `run` steps may start processes, with all that your user may do. Permit it only for
    /// scenario files that you trust.
    public var allowsProcesses: Bool
    /// Whether scenarios may start from containers, and restore backups, in folders beside the
    /// scenario folder. Permit it only for scenario files that you trust.
    public var allowsBackups: Bool
    /// The most that a run may take of the machine. Raise them only for scenario files that you
    /// trust.
    public var limits: RunLimits
    /// The folder of golden files, absolute or relative to the working directory; nil for `Golden`
    /// beside the scenario folder.
    public var goldenFolder: String?
    /// When golden files are written; nil for what the environment variable `BACKUP_TESTING_RECORD`
    /// says, else `.never` if `CI` is set and `.missing` if it is not.
    public var recordMode: RecordMode?

    /// The default options, except for those that are given.
    ///
    /// - Parameters:
    ///   - timeLimit: How long a start or an action of the app may take; nil for no limit.
    ///   - allowsProcesses: Whether `run` steps may start processes.
    ///   - allowsBackups: Whether scenarios may read containers and backups in folders.
    ///   - limits: The most that a run may take of the machine.
    ///   - goldenFolder: The folder of golden files; nil for `Golden` beside the scenario folder.
    ///   - recordMode: When golden files are written; nil for what the environment says.
    public init(
      timeLimit: Duration? = .seconds(60), allowsProcesses: Bool = false,
      allowsBackups: Bool = false, limits: RunLimits = RunLimits(), goldenFolder: String? = nil,
      recordMode: RecordMode? = nil
    ) {
      self.timeLimit = timeLimit
      self.allowsProcesses = allowsProcesses
      self.allowsBackups = allowsBackups
      self.limits = limits
      self.goldenFolder = goldenFolder
      self.recordMode = recordMode
    }

    func runner(host: any AppHost) -> ScenarioRunner {
      var runner = ScenarioRunner(host: host, allowsProcesses: allowsProcesses)
      runner.allowsBackups = allowsBackups
      runner.limits = limits
      return runner
    }
  }
}
