public import BackupContainer
import BackupDevice
public import BackupDiagnostics
public import BackupScenarios
public import Testing

extension FakeContainer {
  /// Chooses the device and the app of a container that the test created itself. The trait does this for its own
  /// containers.
  ///
  /// ```swift
  /// let container = try FakeContainer()
  /// var configuration = SessionConfiguration(profile: try SystemProfile.named("18"))
  /// configuration.budget = 5_000_000
  /// try container.beginSession(configuration)
  /// ```
  ///
  /// Backups of an earlier session can no longer be restored.
  ///
  /// - Parameters:
  ///   - configuration: The device and the app.
  ///   - sourceLocation: The call; leave it out.
  /// - Throws: `RunError` with the code `.containerUnavailable` if the container cannot be read,
  ///   `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func beginSession(
    _ configuration: SessionConfiguration, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    try companion.withLock { companion throws(RunError) in
      try (companion as? ContainerSession)?.requireNoTurn()
      companion = try ContainerSession(self, configuration, at: CallSite(sourceLocation))
    }
  }

  /// Runs the app's own code while all existing marks are removed.
  ///
  /// Afterwards, the kit restores the marks of items that the code did not save. So no code passes
  /// because of an operation that happens to keep a mark.
  ///
  /// ```swift
  /// try await container.perform("download") {
  ///   try MovieStore(root: container.url).save(Data(count: 700), id: 1)
  /// }
  /// ```
  ///
  /// The kit also watches code that runs in the test directly. Such code may pass by luck, so the
  /// kit warns of it.
  ///
  /// Several tasks take turns, in the order of their calls. Until the code has ended, nothing else
  /// can be asked of the container: a backup, a purge, `findings` and the like throw, and so does a
  /// `perform` within it.
  ///
  /// Code that waits for a detached task which performs in the same container waits forever. So do
  /// two tasks that nest a `perform` in one container within a `perform` in another, in opposite
  /// orders: take the containers in one order everywhere. Canceling a task ends its wait.
  ///
  /// - Parameters:
  ///   - name: The name of the code in findings.
  ///   - probesMarks: `true` to remove the marks while the code runs.
  ///   - isolation: The caller's actor; leave it out.
  ///   - sourceLocation: The call; leave it out.
  ///   - code: The app's code.
  /// - Returns: The value that the code returns.
  /// - Throws: The error that the code throws; `RunError` with the code `.performing` within
  ///   another `perform` of this container, `.containerUnavailable` if it cannot be read or
  ///   written; `CancellationError` if the task is canceled while it waits.
  public func perform<Result>(
    _ name: String = "the app's code", probesMarks: Bool = true,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ code: () async throws -> Result
  ) async throws -> Result {
    let site = CallSite(sourceLocation)
    let session = try session(at: site)
    defer { recordLostLookUps(at: sourceLocation) }
    return try await session.perform(
      name, probing: probesMarks, at: site, isolation: isolation, code)
  }

  /// Records an issue for each look-up of the app's code on a thread without a container, and for
  /// each file that it wrote to the home folder of the test's process.
  func recordLostLookUps(at sourceLocation: SourceLocation) {
    for complaint in takeLostLookUps() {
      TestIssue.record(complaint, at: sourceLocation)
    }
    for complaint in takeHomeComplaints() {
      TestIssue.record(complaint.text, isFailure: complaint.isCertain, at: sourceLocation)
    }
  }

  func endApp() {
    companion.withLock { $0 as? ContainerSession }?.endApp()
  }

  /// Returns the session of this container, or begins one on the newest iOS if there is none.
  func session(at site: CallSite) throws(RunError) -> ContainerSession {
    try companion.withLock { companion throws(RunError) in
      if let session = companion as? ContainerSession { return session }
      guard let profile = SystemProfile.newest else {
        throw RunError(.unknownSystem, "unknown version of iOS")
      }
      let session = try ContainerSession(self, SessionConfiguration(profile: profile), at: site)
      companion = session
      return session
    }
  }
}

extension CallSite {
  init(_ location: SourceLocation) {
    self.init(
      fileID: location.fileID, file: location.filePath, line: location.line,
      column: location.column)
  }
}

extension SourceLocation {
  /// Converts the location of a call; returns nil if it is invalid. It may come from code of the app.
  init?(_ site: CallSite) {
    guard site.fileID.contains("/"), !site.file.isEmpty, site.line > 0, site.column > 0 else {
      return nil
    }
    self.init(fileID: site.fileID, filePath: site.file, line: site.line, column: site.column)
  }
}
