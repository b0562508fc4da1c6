public import BackupContainer
import BackupScenarios
public import Testing

extension FakeContainer {
  /// Runs the app's own code with every mark taken off meanwhile, and put back on what it did not
  /// save: so it cannot pass by an operation that happens to keep the mark.
  ///
  /// ```swift
  /// try await container.perform("download") {
  ///   try MovieStore(root: container.url).save(Data(count: 700), id: 1)
  /// }
  /// ```
  ///
  /// Code that runs in the test directly is watched too, but may be lucky: that is a warning.
  ///
  /// Of several tasks each waits for its turn, in the order they came. Until the code has ended
  /// nothing else can be asked of the container: a backup, a purge, `findings` and the like throw,
  /// and so does a `perform` within it. Code that waits for a detached task which performs in the
  /// same container waits for ever.
  ///
  /// - Parameters:
  ///   - name: What the code does, for findings.
  ///   - probesMarks: Whether the marks are taken off.
  ///   - isolation: The caller's actor; leave it out.
  ///   - sourceLocation: The call; leave it out.
  ///   - code: The app's code.
  /// - Returns: What the code returns.
  /// - Throws: What the code throws; `RunError` with the code `.performing` within another `perform`
  ///   of this container, `.containerUnavailable` where it cannot be read or written;
  ///   `CancellationError` where the task is cancelled while it waits.
  public func perform<Result>(
    _ name: String = "the app's code", probesMarks: Bool = true,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ code: () async throws -> Result
  ) async throws -> Result {
    let site = CallSite(sourceLocation)
    let session = try session(at: site)
    return try await session.perform(
      name, probing: probesMarks, at: site, isolation: isolation, code)
  }
}
