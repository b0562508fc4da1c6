import BackupDiagnostics
import BackupFileTree
import BackupScenarios
import BackupVerdicts
import Testing

extension ScenarioResult {
  /// Records an issue for each problem. If the scenario did not pass, attaches the golden texts and
  /// a list of the container's items.
  ///
  /// - Returns: The problems. If Swift Testing treats the issue of a problem as a known issue, the
  ///   problem does not fail the test, and is marked as known.
  func recordIssues() -> [Scenario.Problem] {
    defer { if verdict != .passed { attachGoldensAndItems() } }
    return problems.map { problem in
      TestProcess.current.keepSources(problem.sources)
      let location = "\(scenario.id) (\(scenario.file):\(problem.position.line))"
      // Xcode shows only the first line of an issue, so the first line of a finding begins with
      // the rule.
      let firstLines =
        if case .finding = problem.kind { [problem.message, "scenario: \(location)"] } else {
          ["\(location): \(problem.message)"]
        }
      let variantLines = problem.variants.map { ["(\($0))"] } ?? []
      let fails = TestIssue.recordWithoutReport(
        (firstLines + problem.details + variantLines).joined(separator: "\n"),
        isFailure: problem.isFailure, at: scenario.sourceLocation(of: problem))
      return problem.isFailure && !fails ? problem.asKnownIssue : problem
    }
  }

  /// Attaches the expected and the actual golden text, their difference, and a list of the items in
  /// the container at the end of each run.
  private func attachGoldensAndItems() {
    let fileNamePrefix = scenario.id.replacing("/", with: "-")
    if let expectedGolden {
      Attachment.record(expectedGolden, named: "\(fileNamePrefix).expected.txt")
    }
    if let goldenDifference {
      Attachment.record(goldenDifference, named: "\(fileNamePrefix).difference.txt")
    }
    Attachment.record(actualGolden, named: "\(fileNamePrefix).actual.txt")
    let containersAtEnd = runs.map { run in
      var lines = "\(run.variant)\n"
      run.transcript?.lastTree.forEachItem { path, item in
        let marks = item.marks.isEmpty ? "" : "  marked: \(item.marks)"
        lines += "\(path)\(item.isDirectory ? "/" : "")\(item.note)\(marks)\n"
      }
      return lines
    }
    Attachment.record(
      containersAtEnd.joined(separator: "\n"), named: "\(fileNamePrefix).container.txt")
  }
}

extension FileTree.Item {
  /// The text after the path of an item in a list: the size of a file, the target of a link, or the
  /// reason why the item cannot be read.
  fileprivate var note: String {
    switch kind {
    case .file(let information): "  \(information.size)"
    case .directory: ""
    case .link(let target): "  -> \(EscapedText.escape(target))"
    case .special: "  not a file"
    case .unreadable(let reason): "  unreadable: \(reason)"
    }
  }
}
