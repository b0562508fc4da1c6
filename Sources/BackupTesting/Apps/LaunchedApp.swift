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
  /// A system event that the test simulates may end the app, for example a purge. To continue,
  /// launch the app again.
  public struct LaunchedApp: Sendable {
    fileprivate let container: FakeContainer
    fileprivate let host: any AppHost
    fileprivate let app: any RunningApp
    /// The bundle identifier of the extension; nil for the app itself.
    fileprivate let extensionIdentifier: String?

    /// A Boolean value that indicates whether the app has ended.
    ///
    /// A call of the test may end the app, or the app may exit or crash while it runs an action.
    public var hasEnded: Bool { app.hasEnded }

    /// Makes the app run one of its actions.
    ///
    /// The kit removes all marks before the action runs, to see whether the action sets them again.
    /// Afterwards, the kit restores the marks of the items that the action did not save.
    ///
    /// ```swift
    /// try await app.perform("downloadMovie", with: ["id": 7])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The action's name.
    ///   - arguments: The arguments of the action: any value that is encoded as a JSON object.
    ///   - sourceLocation: The position of the call. Do not pass this argument.
    /// - Throws: One of these errors:
    ///   - `ActionCall.CodeError` if the action throws. If the app runs in the test's process, this
    ///     method throws the action's own error instead.
    ///   - `RunError` with the code `.appEnded` if the app has ended or crashes.
    ///   - `RunError` with the code `.invalidApp` if the app has no action with this name.
    ///   - `RunError` with the code `.performing` within a
    ///     ``BackupContainer/FakeContainer/perform(_:probesMarks:isolation:sourceLocation:_:)`` of
    ///     the same container.
    ///   - `RunError` with the code `.containerUnavailable` if the container cannot be read or
    ///     written.
    ///   - `EncodingError` if the arguments cannot be encoded.
    public func perform(
      _ name: String, with arguments: some Encodable & Sendable = [String: Int](),
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let json = try JSONEncoder().encode(arguments)
      let site = CallSite(sourceLocation)
      defer { container.recordComplaintsAboutCode(at: sourceLocation) }
      try await container.session(at: site).perform(
        name, with: Array(json), in: app, of: host, extension: extensionIdentifier, at: site)
    }

    /// Ends the app at once and without warning, as iOS does when it needs memory.
    ///
    /// ```swift
    /// try app.kill()
    /// let next = try await container.launch(CinemaApp.self)
    /// ```
    ///
    /// - Parameter sourceLocation: The position of the call. Do not pass this argument.
    /// - Throws: `RunError` with the code `.performing` while the app runs an action, or
    ///   `.containerUnavailable` if the container cannot be read.
    public func kill(sourceLocation: SourceLocation = #_sourceLocation) throws(RunError) {
      guard !app.hasEnded else { return }
      let site = CallSite(sourceLocation)
      try container.session(at: site).perform(.kill, at: site)
    }
  }

  /// Launches the app in this container, in its own process if possible.
  ///
  /// If the app is already running, this method ends it first. If another call is launching the app
  /// at the same time, the method throws an error. Patterns in the container's `files` take
  /// precedence over those in the app's `files`.
  ///
  /// ```swift
  /// let app = try await container.launch(CinemaApp.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The app.
  ///   - identifier: The bundle identifier of an extension, to launch the extension instead of the
  ///     app; nil for the app. The container must have been created with this extension.
  ///   - timeLimit: The longest time that a launch or an action may take; nil for no limit. After
  ///     this time, the kit kills the process.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  /// - Returns: The app. It ends at the latest when the container is removed.
  /// - Throws: One of these errors:
  ///   - `ActionCall.CodeError` if the app's `launch` throws.
  ///   - `RunError` with the code `.invalidApp` if the app's process cannot find the type by its
  ///     name, or if the container was created without the extension. The code is the same if an
  ///     app with different `files` was launched in this container before.
  ///   - `RunError` with the code `.appEnded` if the app cannot be started or crashes.
  ///   - `RunError` with the code `.performing` within a
  ///     ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  ///   - `RunError` with the code `.containerUnavailable` if the container cannot be read or
  ///     written.
  public func launch(
    _ type: (some AppUnderTest).Type, extension identifier: String? = nil,
    timeLimit: Duration? = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> LaunchedApp {
    let site = CallSite(sourceLocation)
    let isContainerOfTrait = self === ContainerTrait.container
    let host = try await ProcessHost.host(
      for: type, timeLimit: timeLimit,
      limit: isContainerOfTrait ? TestProcess.current.limits.testApps : nil,
      showingOutput: .afterRequest, at: sourceLocation)
    let session = try session(at: site)
    if let files = try type.sharedFiles {
      try session.add(sharedPromises: files)
      TestProcess.current.sharedFileUse.withLock { $0.use.addPossibleUse(of: files) }
    }
    let app = try await session.launch(host, extension: identifier, at: site)
    return LaunchedApp(container: self, host: host, app: app, extensionIdentifier: identifier)
  }
}
