public import BackupContainer
public import BackupDiagnostics
import Foundation
public import Testing

extension FakeContainer {
  /// An app that a test has launched in a container.
  ///
  /// ```swift
  /// @Test(.container) func `a download survives a kill`() async throws {
  ///   let container = try FakeContainer.current
  ///   let app = try await container.launch(CinemaApp.self)
  ///   try await app.perform("downloadMovie", with: ["id": 7])
  ///   try app.kill()
  /// }
  /// ```
  ///
  /// If the test simulates a system event that ends the app, such as a purge, this app has ended.
  /// Launch it again.
  public struct LaunchedApp: Sendable {
    fileprivate let container: FakeContainer
    fileprivate let host: any AppHost
    fileprivate let app: any RunningApp
    /// The bundle identifier of the extension; nil for the app itself.
    fileprivate let identifier: String?

    /// A Boolean value that indicates whether the app has ended, either through a call of the test
    /// or by itself while it performed an action.
    public var hasEnded: Bool { app.hasEnded }

    /// Makes the app run one of its actions.
    ///
    /// The kit removes all marks while the action runs. Afterwards it restores the marks of items
    /// that the action did not save.
    ///
    /// ```swift
    /// try await app.perform("downloadMovie", with: ["id": 7])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The action's name.
    ///   - arguments: The arguments of the action: any value that is encoded as a JSON object.
    ///   - sourceLocation: The call; leave it out.
    /// - Throws: `ActionCall.CodeError` if the code throws, or the error itself if the app runs in
    ///   the test's process; `RunError` with the code `.appEnded` if the app was ended or has
    ///   crashed, `.invalidApp` if no such action is bound, `.performing` within another
    ///   ``BackupContainer/FakeContainer/perform(_:probesMarks:isolation:sourceLocation:_:)`` of
    ///   the container, `.containerUnavailable` if the container cannot be read or written; `EncodingError`
    ///   for arguments that cannot be encoded.
    public func perform(
      _ name: String, with arguments: some Encodable & Sendable = [String: Int](),
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let json = try JSONEncoder().encode(arguments)
      let site = CallSite(sourceLocation)
      defer { container.recordLostLookUps(at: sourceLocation) }
      try await container.session(at: site).perform(
        name, with: Array(json), in: app, of: host, extension: identifier, at: site)
    }

    /// Ends the app as the system does when it needs memory: at once and without warning.
    ///
    /// ```swift
    /// try app.kill()
    /// let next = try await container.launch(CinemaApp.self)
    /// ```
    ///
    /// - Parameter sourceLocation: The call; leave it out.
    /// - Throws: `RunError` with the code `.performing` while the app performs,
    ///   `.containerUnavailable` if the container cannot be read.
    public func kill(sourceLocation: SourceLocation = #_sourceLocation) throws(RunError) {
      guard !app.hasEnded else { return }
      let site = CallSite(sourceLocation)
      try container.session(at: site).perform(.kill, at: site)
    }
  }

  /// Starts the app in this container, in its own process if possible.
  ///
  /// An app that is running is ended first. The call fails if another call is starting an app. The classes in the app's
  /// `files` come after those of the container.
  ///
  /// ```swift
  /// let app = try await container.launch(CinemaApp.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The app.
  ///   - identifier: The bundle identifier of an extension, to start the extension instead of the app, in its own
  ///     container. The container must be made with that extension.
  ///   - timeLimit: The time that a start or an action may take before the process is killed; nil
  ///     for no limit.
  ///   - sourceLocation: The call; leave it out.
  /// - Returns: The app, which ends with the container at the latest.
  /// - Throws: `ActionCall.CodeError` if the app's own start throws; `RunError` with the code
  ///   `.invalidApp` for a type that cannot be found by its name, an extension that the container was not made with, or
  ///   an app whose `files` differ from those of one launched before, `.appEnded` if the app cannot be started or
  ///   crashes, `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``,
  ///   `.containerUnavailable` if the container cannot be read or written.
  public func launch(
    _ type: (some AppUnderTest).Type, extension identifier: String? = nil,
    timeLimit: Duration? = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> LaunchedApp {
    let site = CallSite(sourceLocation)
    let isOfTrait = self === ContainerTrait.container
    let host = try await ProcessHost.host(
      for: type, timeLimit: timeLimit,
      limit: isOfTrait ? TestProcess.current.limits.launched : nil, showingOutput: .afterRequest,
      at: sourceLocation)
    let session = try session(at: site)
    if let files = try type.sharedFiles {
      try session.add(shared: files)
      TestProcess.current.sharedUse.withLock { $0.use.addUnseenUse(of: files) }
    }
    let app = try await session.launch(host, extension: identifier, at: site)
    return LaunchedApp(container: self, host: host, app: app, identifier: identifier)
  }
}
