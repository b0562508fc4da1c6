public import BackupContainer
import BackupDevice
public import BackupScenarios
public import Testing

extension FakeContainer {
  /// Chooses the device and the app of a container that was made by hand; the trait does it for its.
  ///
  /// ```swift
  /// let container = try FakeContainer()
  /// var configuration = SessionConfiguration(profile: try #require(SystemProfile(version: "18")))
  /// configuration.budget = 5_000_000
  /// try container.beginSession(configuration)
  /// ```
  ///
  /// Backups of an earlier session can no longer be restored.
  ///
  /// - Parameters:
  ///   - configuration: The device and the app.
  ///   - sourceLocation: The call; leave it out.
  /// - Throws: `RunError` with the code `.containerUnavailable` where the container cannot be read,
  ///   `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func beginSession(
    _ configuration: SessionConfiguration, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    try companion.withLock { companion throws(RunError) in
      try (companion as? ContainerSession)?.requireNoTurn()
      companion = try ContainerSession(self, configuration, at: CallSite(sourceLocation))
    }
  }

  /// The device that this container is on: the newest iOS unless one was chosen.
  func session(at site: CallSite) throws(RunError) -> ContainerSession {
    try companion.withLock { companion throws(RunError) in
      if let session = companion as? ContainerSession { return session }
      guard let profile = SystemProfile.newest else {
        throw RunError(.unknownSystem, "there is no profile of iOS")
      }
      let session = try ContainerSession(self, SessionConfiguration(profile: profile), at: site)
      companion = session
      return session
    }
  }
}

extension CallSite {
  /// The place of a call.
  init(_ location: SourceLocation) {
    self.init(
      fileID: location.fileID, file: location.filePath, line: location.line,
      column: location.column)
  }
}

extension SourceLocation {
  /// The place of a call; nil for no place in particular.
  init?(_ site: CallSite) {
    guard site != .unknown else { return nil }
    self.init(fileID: site.fileID, filePath: site.file, line: site.line, column: site.column)
  }
}
