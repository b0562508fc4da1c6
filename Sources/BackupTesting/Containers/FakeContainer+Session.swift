public import BackupContainer
import BackupDevice
public import BackupDiagnostics
public import BackupScenarios
public import Testing

extension FakeContainer {
  /// Begins a session: chooses the device and the app of this container.
  ///
  /// Call this method for a container that the test created itself. The trait `.container` calls it
  /// for the container that it creates.
  ///
  /// ```swift
  /// let container = try FakeContainer()
  /// var configuration = SessionConfiguration(profile: try SystemProfile.named("18"))
  /// configuration.budget = 5_000_000
  /// try container.beginSession(configuration)
  /// ```
  ///
  /// A second call begins a new session. Backups from the earlier session can then no longer be
  /// restored.
  ///
  /// - Parameters:
  ///   - configuration: The device and the app.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  /// - Throws: `RunError` with the code `.containerUnavailable` if the container cannot be read, or
  ///   `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func beginSession(
    _ configuration: SessionConfiguration, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    try storedSession.withLock { storedSession throws(RunError) in
      try (storedSession as? ContainerSession)?.requireNoRunningCode()
      storedSession = try ContainerSession(self, configuration, at: CallSite(sourceLocation))
    }
  }

  /// Runs the app's own code, and checks whether the code sets marks itself.
  ///
  /// The kit removes all marks before the code runs. Without this, code that never sets a mark
  /// could pass the test, because one of its operations happens to keep the old mark. Afterwards,
  /// the kit restores the marks of the items that the code did not save.
  ///
  /// ```swift
  /// try await container.perform("download") {
  ///   try MovieStore(root: container.url).save(Data(count: 700), id: 1)
  /// }
  /// ```
  ///
  /// The kit also sees changes by code that the test calls outside of `perform`. It keeps the marks
  /// while that code runs. If a mark then survives a save only by luck, the kit reports a warning,
  /// not an error.
  ///
  /// If several tasks call `perform`, their code runs one after the other, in the order of the
  /// calls. While the code runs, other methods of the container throw an error, for example a
  /// backup, a purge, or a second `perform` within the code.
  ///
  /// In two cases, code waits until its task is canceled:
  ///
  /// * The code waits for a detached task that calls `perform` of the same container.
  /// * Two tasks call `perform` of the same two containers, one call within the other, but in
  ///   different orders. To prevent this, use the same order everywhere.
  ///
  /// - Parameters:
  ///   - name: A name for the code, which findings use.
  ///   - probesMarks: `true` to remove all marks before the code runs.
  ///   - isolation: The caller's actor. Do not pass this argument.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  ///   - code: The app's code.
  /// - Returns: The value that the code returns.
  /// - Throws: One of these errors:
  ///   - The error that the code throws.
  ///   - `RunError` with the code `.performing` within another `perform` of this container.
  ///   - `RunError` with the code `.containerUnavailable` if the container cannot be read or
  ///     written.
  ///   - `CancellationError` if the task is canceled while it waits.
  public func perform<Result>(
    _ name: String = "the app's code", probesMarks: Bool = true,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ code: () async throws -> Result
  ) async throws -> Result {
    let site = CallSite(sourceLocation)
    let session = try session(at: site)
    defer { recordComplaintsAboutCode(at: sourceLocation) }
    return try await session.perform(
      name, probing: probesMarks, at: site, isolation: isolation, code)
  }

  /// Records an issue for each complaint about the app's code.
  ///
  /// A complaint is about one of these mistakes:
  ///
  /// * a lookup, such as `NSHomeDirectory()`, on a thread for which the kit knows no container
  /// * an item created in the container of an ended test
  /// * a change in the home folder of the test's process
  func recordComplaintsAboutCode(at sourceLocation: SourceLocation) {
    for complaint in takeCodeComplaints() {
      TestIssue.record(complaint, at: sourceLocation)
    }
    for complaint in takeHomeComplaints() {
      TestIssue.record(complaint.text, isFailure: complaint.isCertain, at: sourceLocation)
    }
  }

  func endApp() {
    storedSession.withLock { $0 as? ContainerSession }?.endApp()
  }

  /// Returns the session of this container. If it has none, begins one on the newest version of
  /// iOS.
  func session(at site: CallSite) throws(RunError) -> ContainerSession {
    try storedSession.withLock { storedSession throws(RunError) in
      if let session = storedSession as? ContainerSession { return session }
      guard let profile = SystemProfile.newest else {
        throw RunError(.unknownSystem, "unknown version of iOS")
      }
      let session = try ContainerSession(self, SessionConfiguration(profile: profile), at: site)
      storedSession = session
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
  /// Converts the location of a call. Returns nil for an invalid location, which the app's process
  /// may have sent.
  init?(_ site: CallSite) {
    guard site.fileID.contains("/"), !site.file.isEmpty, site.line > 0, site.column > 0 else {
      return nil
    }
    self.init(fileID: site.fileID, filePath: site.file, line: site.line, column: site.column)
  }
}
