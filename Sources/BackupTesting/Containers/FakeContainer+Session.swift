public import AppContainer
public import BackupScenarios
import DeviceSimulation

extension FakeContainer {
  /// Chooses the device and the app of a container that was made by hand; the trait does it for its.
  ///
  /// - Parameters:
  ///   - configuration: The device and the app.
  ///   - site: Where the test calls it.
  /// - Throws: ``BackupScenarios/RunError`` where the container cannot be read.
  public func beginSession(
    _ configuration: SessionConfiguration, at site: CallSite
  ) throws(RunError) {
    let session = try ContainerSession(self, configuration, at: site)
    companion.withLock { $0 = session }
  }

  /// The device that this container is on: the newest iOS unless one was chosen.
  func session(at site: CallSite) throws(RunError) -> ContainerSession {
    if let session = companion.withLock({ $0 as? ContainerSession }) { return session }
    guard let profile = SystemProfile.newest else { throw RunError("there is no profile of iOS") }
    try beginSession(SessionConfiguration(profile: profile), at: site)
    return try session(at: site)
  }
}
