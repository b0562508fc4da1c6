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
  /// A call of the test's by which the system ends the app, such as a purge, ends this one: launch
  /// it again.
  public struct LaunchedApp: Sendable {
    fileprivate let container: FakeContainer
    fileprivate let host: any AppHost
    fileprivate let app: any RunningApp
    /// The extension that it is; nil for the app.
    fileprivate let identifier: String?

    /// Whether it has ended since: by a call of the test's, or by itself while it performed.
    public var hasEnded: Bool { app.hasEnded }

    /// Has the app run one of its actions, with every mark taken off meanwhile, and put back on
    /// what it did not save.
    ///
    /// ```swift
    /// try await app.perform("downloadMovie", with: ["id": 7])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The action's name.
    ///   - arguments: What it is called with: anything that makes a JSON object.
    ///   - sourceLocation: The call; leave it out.
    /// - Throws: `ActionCall.CodeError` for what the code throws, in process that error itself;
    ///   `RunError` with the code `.appEnded` if the app was ended or has crashed, `.invalidApp` if
    ///   no such action is bound, `.performing` within another
    ///   ``BackupContainer/FakeContainer/perform(_:probesMarks:isolation:sourceLocation:_:)`` of
    ///   the container, `.containerUnavailable` if that cannot be read or written; `EncodingError`
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

    /// Ends the app as the system does when it needs memory: at once, and unasked.
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

  /// Starts the app in this container, as a process of its own where that is possible; one that
  /// runs is ended, and one that another call is starting is an error.
  ///
  /// ```swift
  /// let app = try await container.launch(CinemaApp.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The app.
  ///   - identifier: The bundle identifier of an extension of the app, to start that instead, in
  ///     its own container. The container must be made with that extension.
  ///   - timeLimit: How long a start or an action may take before the process is killed; nil for no
  ///     limit.
  ///   - sourceLocation: The call; leave it out.
  /// - Returns: The app, which ends with the container at the latest.
  /// - Throws: What the app's own start throws, as `ActionCall.CodeError`; `RunError` with the code
  ///   `.invalidApp` for a type that cannot be found by its name, or an extension that the
  ///   container was not made with, `.appEnded` if the app cannot be started or crashes,
  ///   `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``,
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
      limit: isOfTrait ? TestProcess.current.limits.launched : nil, at: sourceLocation)
    let app = try await session(at: site).launch(host, extension: identifier, at: site)
    return LaunchedApp(container: self, host: host, app: app, identifier: identifier)
  }
}
