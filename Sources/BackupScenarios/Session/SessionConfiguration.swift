public import BackupDevice

/// The device and the app of a test without a scenario file.
///
/// ```swift
/// var configuration = SessionConfiguration(profile: try #require(SystemProfile(version: "18")))
/// configuration.files = try FilePromises(["Library/**": .offline])
/// configuration.budget = 5_000_000
/// try FakeContainer().beginSession(configuration)
/// ```
public struct SessionConfiguration: Sendable {
  /// What the device's system does, as of one version of iOS.
  public var profile: SystemProfile
  /// Where backups go; `.off` where the user has switched the app's off.
  public var backups: SystemProfile.BackupKind = .iCloud
  /// The app whose code the test runs.
  public var app = Scenario.App()
  /// What the app promises of its files; nil where it says nothing.
  public var files: FilePromises?
  /// The most that a backup may hold: a number of bytes, or limits for patterns; nil for anything.
  public var budget: Scenario.Budget?
  /// The most that the app may keep on the device: a number of bytes, or limits for patterns; nil
  /// for anything.
  public var storage: Scenario.Budget?

  /// The app on a system.
  ///
  /// - Parameter profile: What the system does; backups go to iCloud unless ``backups`` is changed.
  public init(profile: SystemProfile) {
    self.profile = profile
  }

  /// A scenario without steps that says the same.
  func scenario(named name: String, file: String) -> Scenario {
    Scenario(
      id: name, file: file, title: name, requirements: [], app: app, systems: [profile.version],
      newestSystem: nil,
      backups: [backups], guidance: profile.guidance, files: files, golden: GoldenOptions(),
      budget: budget, storage: storage, launch: [],
      steps: [], expectations: [])
  }
}
