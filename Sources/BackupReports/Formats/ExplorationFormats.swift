import BackupDiagnostics
import BackupExploration
package import BackupExplorationReports
import BackupFileTree
import BackupRules
import BackupScenarios
package import BackupVerdicts

extension ExplorationReport {
  package static let formats: [OutputFormat<ExplorationReport>] = [
    OutputFormat("text", [.showsProblems, .beginsWithResults]) { report in
      report.results.map(\.text).joined() + report.conclusion
    },
    .json(of: ExplorationContents.init),
    OutputFormat("junit") { report in
      let cases = report.results.map { result in
        let isSkipped = !result.isExplored && !result.hasFailed
        return JUnitTestCase(
          result.scenario.id, result.scenario.file, result.problems(for: .tool),
          outcome: isSkipped ? "skipped" : "failure")
      }
      return JUnitTestCase.text(of: cases)
    },
    OutputFormat("github", [.showsProblems]) { report in
      let problems = report.results.flatMap { result in
        let scenario = result.scenario
        return result.problems(for: .tool).map { $0.annotation(in: scenario.file, id: scenario.id) }
      }
      let notices = report.updateLossProblems.map {
        gitHubCommand("notice", [("title", $0.key.bundleIdentifier)], message: $0.text)
      }
      return (problems + notices).joined()
        + report.results.summary(skippedScenarioCount: report.skippedScenarioCount)
    },
    OutputFormat("html", linking: { $0.page(in: $1) }),
  ]

  /// The text below the results.
  package var conclusion: String {
    updateLossProblems.map(\.text).joined()
      + results.summary(skippedScenarioCount: skippedScenarioCount)
  }
}

/// The JSON of an exploration's report.
private struct ExplorationContents: Encodable {
  let format = 1
  let scenarios: [ExploredContents]
  let leftOut: Int
  let updateDependences: [Dependence]

  struct Dependence: Encodable {
    let app: String
    let loss: String
    let scenario: String
    let message: String
    let evidence = "unverified"
  }

  init(_ report: ExplorationReport) {
    self.scenarios = report.results.map(ExploredContents.init)
    self.leftOut = report.skippedScenarioCount
    self.updateDependences = report.updateLossProblems.map { dependence in
      Dependence(
        app: dependence.key.bundleIdentifier, loss: dependence.key.loss.rawValue,
        scenario: dependence.scenarioID,
        message: dependence.firstFindingSentence)
    }
  }
}

/// The JSON of an explored scenario: the record of its exploration, with the scenario's id and
/// file.
private struct ExploredContents: Encodable {
  let id: String
  let file: String
  let record: ExplorationRecord

  private enum CodingKeys: String, CodingKey {
    case id, file
  }

  init(_ explored: ExploredScenario) {
    self.id = explored.scenario.id
    self.file = explored.scenario.file
    self.record = explored.record(for: .tool)
  }

  func encode(to encoder: any Encoder) throws {
    try record.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id, forKey: .id)
    try members.encode(file, forKey: .file)
  }
}
