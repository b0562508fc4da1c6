public import BackupContainer
public import BackupDevice

extension ActionCall {
  /// A start of the app: what it finds.
  public struct Launch: Sendable {
    /// The bundle identifier of what was started: the app's, or that of an extension of it.
    public let bundleIdentifier: String
    /// The container that the app's code has to work in: the app's, or the extension's own.
    public let container: FakeContainer.Locations
    /// The version of iOS that the device has now.
    public let system: SystemVersion
    /// The app's version now.
    public let appVersion: String
    /// How often the app was started, this time included: 1 at first.
    public let launchCount: Int
    /// What is there of what the app had put into the keychain for this device only: what became of
    /// it when the app was last installed or restored.
    public let keychain: Keychain

    /// A start of the app.
    package init(
      bundleIdentifier: String, container: FakeContainer.Locations, system: SystemVersion,
      appVersion: String,
      launchCount: Int, keychain: Keychain
    ) {
      self.bundleIdentifier = bundleIdentifier
      self.container = container
      self.system = system
      self.appVersion = appVersion
      self.launchCount = launchCount
      self.keychain = keychain
    }
  }
}

/// The name that it has for the kit, and for users in their app's type.
package typealias AppLaunch = ActionCall.Launch
