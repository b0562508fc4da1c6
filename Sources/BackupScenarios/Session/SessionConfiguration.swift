public import BackupDevice

/// The device and the app of a test without a scenario file.
///
/// ```swift
/// var configuration = SessionConfiguration(profile: try SystemProfile.named("18"))
/// configuration.files = try FilePromises(["Library/**": .offline])
/// configuration.budget = 5_000_000
/// try FakeContainer().beginSession(configuration)
/// ```
public struct SessionConfiguration: Sendable {
  /// The behavior of the device's system, for one version of iOS.
  public var profile: SystemProfile
  /// The kind of backup; `.off` if the user has switched the app's backup off.
  public var backups: SystemProfile.BackupKind = .iCloud
  /// The app whose code the test runs.
  public var app = Scenario.App()
  /// The app's promises about its files; nil for none.
  public var files: FilePromises?
  /// The limits for a backup: a number of bytes, or limits for patterns; nil for no limits.
  public var budget: Scenario.Budget?
  /// The limits for the app's files on the device: a number of bytes, or limits for patterns; nil
  /// for no limits.
  public var storage: Scenario.Budget?

  /// Creates a configuration for a system.
  ///
  /// - Parameter profile: The behavior of the system. Backups go to iCloud unless ``backups`` is
  ///   changed.
  public init(profile: SystemProfile) {
    self.profile = profile
  }

  /// Returns a scenario with the same settings and without steps.
  func scenario(named name: String, file: String) -> Scenario {
    Scenario(
      id: name, file: file, title: name, requirements: [], app: app, systems: [profile.version],
      newestSystem: nil,
      backups: [backups], guidance: profile.guidance, files: files, goldenOptions: GoldenOptions(),
      budget: budget, storage: storage, launch: [],
      steps: [], expectations: [])
  }
}
