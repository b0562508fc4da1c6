public import BackupContainer
public import BackupDiagnostics
import BackupFileTree
public import BackupRules
public import BackupScenarios
import BackupVerdicts
public import Testing

extension FakeContainer {
  /// Returns the findings of the rules on all events so far, the most severe first.
  ///
  /// ```swift
  /// #expect(try container.findings().map(\.rule) == ["reapply-on-save"])
  /// ```
  ///
  /// - Returns: The findings that a scenario would have if it ended now.
  /// - Throws: `RunError` with the code `.containerUnavailable` if the container cannot be read, or
  ///   `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func findings() throws(RunError) -> [Scenario.Finding] {
    let session = try session(at: .unknown)
    let findings = try session.judge().findings
    session.recordSeen(findings)
    return findings
  }

  /// Records an issue for each finding of the rules on all events so far.
  ///
  /// Each issue is at the test's call that caused the finding. Warnings and advice become issues of
  /// severity `.warning`, which do not fail the test. The kit also warns if code of the app has
  /// run, but has changed nothing in the container.
  ///
  /// ```swift
  /// try container.backUp()
  /// try container.expectNoFindings()
  /// ```
  ///
  /// - Parameter sourceLocation: The position of the call. Do not pass this argument.
  /// - Throws: `RunError` with the code `.containerUnavailable` if the container cannot be read, or
  ///   `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func expectNoFindings(sourceLocation: SourceLocation = #_sourceLocation) throws(RunError) {
    let session = try session(at: CallSite(sourceLocation))
    let (transcript, findings) = try session.judge()
    session.recordSeen(findings)
    for finding in GroupedFindings(findings, in: transcript).mergedFindings {
      session.record(finding, in: transcript, or: sourceLocation)
    }
    if session.hasPerformedCode, [transcript].haveNoEffect,
      transcript.firstTree.amount.byteCount == 0
    {
      TestIssue.record(
        "the app's own code ran, but changed nothing in the container, so nothing was tested\n"
          + "do: \(ScenarioResult.adviceOnIdleCode)", isFailure: false, at: sourceLocation)
    }
  }

  /// Records an issue for each error that the rules find and that the test has not looked at.
  func recordUnseenErrors(at sourceLocation: SourceLocation) throws(RunError) {
    let session = try session(at: .unknown)
    let (transcript, findings) = try session.judge()
    let errors = findings.filter { $0.severity == .error }
    for finding in GroupedFindings(session.unseenFindings(among: errors), in: transcript)
      .mergedFindings
    {
      session.record(finding, in: transcript, or: sourceLocation, adding: Self.unseenNote)
    }
  }

  private static let unseenNote =
    "note: the test did not check for findings; end it with 'try container.expectNoFindings()', "
    + "or, to ignore them, write '.container(findings: .ignored)'"

  /// Records the findings of the rules on an error that a test throws, at the call that threw the
  /// error.
  ///
  /// - Returns: True if one of the findings is an error, so that the test fails anyway.
  func recordFindings(in error: any Error, of sourceLocation: SourceLocation) -> Bool {
    guard let session = storedSession.withLock({ $0 as? ContainerSession }),
      let transcript = session.transcript(of: error)
    else { return false }
    let findings = RuleList.findings(in: transcript)
    for finding in findings { session.record(finding, in: transcript, or: sourceLocation) }
    return findings.contains { $0.severity == .error }
  }

  /// Explains why the next backup would include or exclude an item.
  ///
  /// ```swift
  /// let reason = try container.explain("Library/Caches")
  /// #expect(reason.contains("excluded"))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The item, relative to the container, such as `Documents/list.json`.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  /// - Returns: A sentence with the reason. If the item is missing, the sentence says so.
  /// - Throws: `RunError` with the code `.invalidPath` if the path is invalid,
  ///   `.containerUnavailable` if the container cannot be read, or `.performing` within a
  ///   ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func explain(
    _ path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) -> String {
    let path = try ContainerPath(checking: path)
    let site = CallSite(sourceLocation)
    let transcript = try session(at: site).transcriptWithTrialBackup(at: site)
    let explanation = transcript.entries.last.flatMap {
      ItemExplanation.byStep(in: transcript)[$0.step.number]
    }
    return "'\(path)' is \(explanation?.reason(for: path) ?? "missing")"
  }
}

extension ContainerSession {
  /// Returns the transcript of all events so far, and the findings of the rules on them, the most
  /// severe first.
  fileprivate func judge() throws(RunError) -> (
    transcript: Transcript, findings: [Scenario.Finding]
  ) {
    let work = LongWork.begin("judging the test's container")
    defer { work?.end() }
    let transcript = try transcript()
    return (transcript, RuleList.findings(in: transcript).sorted { $0.severity < $1.severity })
  }

  fileprivate func recordSeen(_ findings: [Scenario.Finding]) {
    seenFindings.withLock { $0.formUnion(findings.map(\.subject)) }
  }

  fileprivate func unseenFindings(among findings: [Scenario.Finding]) -> [Scenario.Finding] {
    let seenSubjects = seenFindings.withLock { $0 }
    return findings.filter { !seenSubjects.contains($0.subject) }
  }

  fileprivate func record(
    _ finding: Scenario.Finding, in transcript: Transcript, or sourceLocation: SourceLocation,
    adding note: String? = nil
  ) {
    let code = CodeAccount(of: finding, among: transcript.changeCalls)
    TestProcess.current.keepSources(finding.sources.map(\.key))
    TestIssue.record(
      ([finding.sentence] + finding.adviceLines(naming: code) + [note].compactMap(\.self))
        .joined(separator: "\n"),
      isFailure: finding.severity == .error,
      at: site(of: finding.step).flatMap(SourceLocation.init) ?? sourceLocation)
  }
}

extension Scenario.Finding {
  /// The rule and the item, or the message if there is no item. If the rules report the same
  /// mistake again after a later step, the subjects are equal.
  fileprivate var subject: ContainerSession.FindingSubject {
    ContainerSession.FindingSubject(rule: rule, item: path?.description ?? message)
  }
}

extension Scenario.Finding: CustomTestStringConvertible {
  /// The description, as Swift Testing shows it.
  public var testDescription: String { description }
}
