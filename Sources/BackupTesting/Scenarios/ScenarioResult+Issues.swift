import BackupDiagnostics
import BackupFileTree
import BackupScenarios
import BackupVerdicts
import Testing

extension ScenarioResult {
  /// Records an issue for each problem, and attaches the golden texts and the container.
  ///
  /// - Returns: The problems. A problem that is a known issue in Swift Testing does not fail the
  ///   test, and is returned as known.
  func recordIssues() -> [Scenario.Problem] {
    defer { if verdict != .passed { attach() } }
    return problems.map { problem in
      TestProcess.current.noteSources(problem.sources)
      let place = "\(scenario.id) (\(scenario.file):\(problem.position.line))"
      // Xcode shows the first line, so that of a finding begins with the rule.
      let head =
        if case .finding = problem.kind { [problem.message, "scenario: \(place)"] } else {
          ["\(place): \(problem.message)"]
        }
      let runs = problem.variants.map { ["(\($0))"] } ?? []
      let fails = TestIssue.show(
        (head + problem.details + runs).joined(separator: "\n"),
        isFailure: problem.isFailure, at: scenario.sourceLocation(of: problem))
      return problem.isFailure && !fails ? problem.known : problem
    }
  }

  /// Attaches both golden texts, their difference, and the container's last state.
  private func attach() {
    let name = scenario.id.replacing("/", with: "-")
    if let expectedGolden {
      Attachment.record(expectedGolden, named: "\(name).expected.txt")
    }
    if let goldenDifference {
      Attachment.record(goldenDifference, named: "\(name).difference.txt")
    }
    Attachment.record(actualGolden, named: "\(name).actual.txt")
    let lastContainers = runs.map { run in
      var lines = "\(run.variant)\n"
      run.transcript?.lastTree.forEachItem { path, item in
        let marks = item.marks.isEmpty ? "" : "  marked: \(item.marks)"
        lines += "\(path)\(item.isDirectory ? "/" : "")\(item.note)\(marks)\n"
      }
      return lines
    }
    Attachment.record(lastContainers.joined(separator: "\n"), named: "\(name).container.txt")
  }
}

extension FileTree.Item {
  /// The text to show after the path of an item: its size, its target, or the reason that it is no regular item.
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
