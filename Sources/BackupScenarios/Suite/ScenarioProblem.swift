import AppContainer
import DeviceSimulation

/// Something about a scenario's result that its reader has to know, at its place in the file.
public struct ScenarioProblem: Hashable, Sendable {
  /// What it is about.
  public enum Kind: Hashable, Sendable {
    /// A run did not get to its end.
    case brokenOff
    /// A finding came that was not expected.
    case finding(rule: String)
    /// An expected finding did not come.
    case missingFinding(rule: String)
    /// The golden file is missing, differs or cannot be used.
    case golden
    /// The golden file was written.
    case recorded
  }

  /// What it is about.
  public let kind: Kind
  /// How bad it is.
  public let severity: Finding.Severity
  /// Whether it fails the scenario.
  public let isFailure: Bool
  /// Where in the scenario file.
  public let position: SourcePosition
  /// What is wrong, in a sentence.
  public let message: String
  /// What to do, the lines that differ, and the like; may have several lines.
  public let details: [String]
  /// The runs it is about, where not all of the scenario's.
  public let variants: String?

  /// Whether it only says that a golden file was written.
  var isAboutRecording: Bool { kind == .recorded }
}

extension ScenarioResult {
  /// Everything the reader has to know, in the order of the file.
  public var problems: [ScenarioProblem] {
    (brokenOff + unexpectedFindings + missingFindings + goldenProblems)
      .sorted { $0.position < $1.position }
  }

  /// The runs that did not get to their end; those that failed alike once.
  private var brokenOff: [ScenarioProblem] {
    let failures = runs.compactMap { run -> (key: BreakingOff, variant: Variant)? in
      if let failure = run.transcript?.failure {
        let message = "\(failure.step) (\(failure.step.summary)): \(failure.message)"
        return (BreakingOff(position: failure.step.position, message: message), run.variant)
      }
      return run.error.map { (BreakingOff(position: start, message: $0.description), run.variant) }
    }
    var groups: [(key: BreakingOff, variants: [Variant])] = []
    for failure in failures {
      if let index = groups.firstIndex(where: { $0.key == failure.key }) {
        groups[index].variants.append(failure.variant)
      } else {
        groups.append((failure.key, [failure.variant]))
      }
    }
    return groups.map { key, variants in
      ScenarioProblem(
        kind: .brokenOff, severity: .error, isFailure: true, position: key.position,
        message: key.lines[0], details: key.lines.dropFirst() + outputOfFailure(in: variants),
        variants: names(of: variants))
    }
  }

  /// What the step that failed printed, in the first of these runs.
  private func outputOfFailure(in variants: [Variant]) -> [String] {
    let run = runs.first { variants.contains($0.variant) }
    return run?.transcript?.failureOutput ?? []
  }

  /// How a run broke off.
  private struct BreakingOff: Hashable {
    /// Where in the scenario file.
    let position: SourcePosition
    /// Why.
    let message: String

    /// The message's lines.
    var lines: [String] {
      message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The findings nobody expected; the same one of several runs once.
  private var unexpectedFindings: [ScenarioProblem] {
    mergedFindings.filter { !$0.isExpected }.map { merged in
      let finding = merged.finding
      return ScenarioProblem(
        kind: .finding(rule: finding.rule), severity: finding.severity,
        isFailure: finding.severity == .error || isStrict, position: finding.step.position,
        message: "\(finding.rule): \(finding.message)", details: finding.details,
        variants: names(of: merged.variants))
    }
  }

  /// The expected findings that did not come.
  private var missingFindings: [ScenarioProblem] {
    var expectations: [Expectation] = []
    for expectation in runs.flatMap(\.missing) where !expectations.contains(expectation) {
      expectations.append(expectation)
    }
    return expectations.map { expectation in
      let variants = runs.filter { $0.missing.contains(expectation) }.map(\.variant)
      let path = expectation.path.map { " on '\($0)'" } ?? ""
      let step = expectation.step.map { " at step \($0)" } ?? ""
      let severity = expectation.severity.map { " of severity '\($0.rawValue)'" } ?? ""
      return ScenarioProblem(
        kind: .missingFinding(rule: expectation.rule), severity: .error, isFailure: true,
        position: expectation.position,
        message: "expected the finding \(expectation.rule)\(severity)\(step)\(path), but it did "
          + "not come",
        details: findingsThatCame(under: variants), variants: names(of: variants))
    }
  }

  /// What came instead of an expected finding.
  private func findingsThatCame(under variants: [Variant]) -> [String] {
    let came = mergedFindings.filter { merged in
      !merged.isExpected && variants.contains(where: merged.variants.contains)
    }
    return came.map {
      "came instead: \($0.finding.rule) of severity '\($0.finding.severity.rawValue)' at "
        + "\($0.finding.step)" + ($0.finding.path.map { " on '\($0)'" } ?? "")
    }
  }

  /// What there is to say of the golden file.
  private var goldenProblems: [ScenarioProblem] {
    switch golden {
    case .matches, .notCompared:
      []
    case .missing(let path):
      [
        problem(
          .golden, "there is no golden file \(path)",
          ["do: \(recordingAdvice(.missing)), where CI is not set, and commit it"])
      ]
    case .differs(let path, let difference):
      [
        problem(
          .golden, differs(difference, from: path),
          explained(difference) + ["do: if this is right, \(recordingAdvice(.failed))"],
          at: position(of: difference))
      ]
    case .recorded(let path, let difference):
      [
        problem(
          .recorded, "recorded \(path); look at it, and run again",
          difference.map(explained) ?? [], at: difference.map(position) ?? start)
      ]
    case .unusable(let error):
      [problem(.golden, error.description, [])]
    }
  }

  /// How a golden file is written; never from a part of the scenario's runs.
  private func recordingAdvice(_ mode: RecordMode) -> String {
    let isPart = runs.count < scenario.variants.count
    return "record it: --record \(mode.rawValue)\(isPart ? " without --system" : ""), or "
      + "\(RecordMode.environmentVariable)=\(mode.rawValue)"
  }

  /// That the outcome is not the golden file's, with the step and the golden file's line.
  private func differs(_ difference: LineDifference, from path: String) -> String {
    let step = firstStep(of: difference).map { "\($0.reference) (\($0.reference.summary)): " } ?? ""
    return "\(step)the outcome differs from \(path):\(difference.firstGoldenLine)"
  }

  /// A problem of the golden file.
  private func problem(
    _ kind: ScenarioProblem.Kind, _ message: String, _ details: [String],
    at position: SourcePosition? = nil
  ) -> ScenarioProblem {
    ScenarioProblem(
      kind: kind, severity: .error, isFailure: true, position: position ?? start,
      message: message, details: details, variants: nil)
  }

  /// Where a problem of the whole file is shown.
  private var start: SourcePosition {
    scenario.steps.first?.reference.position ?? SourcePosition(line: 1, column: 1)
  }

  /// Names runs, unless they are all there are.
  private func names(of variants: [Variant]) -> String? {
    guard variants.count < runs.count else { return nil }
    return VariantList.lines(for: variants, in: scenario)
      .map { $0.dropFirst(VariantList.keyword.count) }.joined(separator: "; ")
  }
}

extension Finding {
  /// What to do and where the rule comes from.
  var details: [String] {
    ["do: \(advice)", "source: \(sources.map(\.key).joined(separator: ", "))"]
  }
}
