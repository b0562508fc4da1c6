public import BackupContainer
import BackupDiagnostics
import BackupFileTree
public import BackupRules
public import BackupScenarios
public import Testing

extension FakeContainer {
  /// Runs the app's own code with every mark taken off meanwhile, and put back on what it did not
  /// save: so it cannot pass by an operation that happens to keep the mark.
  ///
  /// Code that runs in the test directly is watched too, but may be lucky: that is a warning.
  ///
  /// - Parameters:
  ///   - name: What the code does, for findings.
  ///   - probesMarks: Whether the marks are taken off.
  ///   - isolation: The caller's actor; leave it out.
  ///   - sourceLocation: The call; leave it out.
  ///   - code: The app's code.
  /// - Returns: What the code returns.
  /// - Throws: What the code throws; `RunError` where the container cannot be
  ///   read or written.
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

  /// What the rules find in all that happened so far; worst first.
  ///
  /// ```swift
  /// #expect(try container.findings.isEmpty)
  /// ```
  ///
  /// Reading it looks at the container, as at the end of a scenario. It throws
  /// `RunError` where the container cannot be read.
  public var findings: [Scenario.Finding] {
    get throws(RunError) {
      try session(at: .unknown).findings()
    }
  }

  /// Records an issue for everything that the rules find in all that happened so far, each at its
  /// line of the test; warnings and advice as issues of severity `.warning`.
  ///
  /// - Parameter sourceLocation: The call; leave it out.
  /// - Throws: ``BackupScenarios/RunError`` where the container cannot be read.
  public func expectNoFindings(
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let session = try session(at: CallSite(sourceLocation))
    for finding in try session.findings() {
      Issue.record(
        Comment(rawValue: ([finding.sentence] + finding.details).joined(separator: "\n")),
        severity: finding.severity == .error ? .error : .warning,
        sourceLocation: session.site(of: finding.step).flatMap(SourceLocation.init)
          ?? sourceLocation)
    }
  }

  /// Why the next backup would hold an item or leave it out, in a sentence.
  ///
  /// - Parameters:
  ///   - path: The item, relative to the container.
  ///   - sourceLocation: The call; leave it out.
  /// - Returns: The sentence; for an item that is not there, that it is not.
  /// - Throws: `RunError` where the path is none or the container cannot be read.
  public func explain(
    _ path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) -> String {
    let path = try ContainerPath(checking: path)
    let site = CallSite(sourceLocation)
    let trial = try session(at: site).act("explain", at: site) { acts throws(RunError) in
      try acts.trialBackup()
    }
    let history = RunHistory(trial)
    let explanation = trial.entries.last.flatMap { ItemExplanation($0.step.number, in: history) }
    return "'\(path)' is \(explanation?.reason(for: path) ?? "not there")"
  }
}

extension ContainerSession {
  /// What the rules find in all that happened so far; worst first.
  fileprivate func findings() throws(RunError) -> [Scenario.Finding] {
    RuleList.findings(in: try transcript()).sorted { $0.severity < $1.severity }
  }
}
