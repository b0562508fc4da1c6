import BackupDiagnostics
import BackupReports
import BackupVerdicts
import Foundation

extension Command {
  static let accept = Command(
    name: "accept", operands: "[ID…]",
    summary: "Accepts changes that wait for a review: the new texts become the golden files.",
    discussion: """
      ID is the scenario's id, as 'pending' lists it. Nothing is written if one of the changes cannot
      be used. If the command is killed, run it again with --all. With --all, the command also names
      the scenarios that failed in their last test for another reason.
      """,
    options: [allChanges, .scenarios, .golden, .pending], variables: [.pending]
  ) { arguments in
    let goldens = try arguments.goldens()
    let changes = try ids(arguments, in: goldens).map(goldens.readPending(_:))
    for change in changes {
      try goldens.accept(change)
      try Output.print("accepted \(change.goldenPath)".onOneLine + "\n")
    }
    if changes.isEmpty { try Output.print(goldens.nothingPendingMessage) }
    if arguments.has(allChanges) { warnOfFailures(besides: changes.map(\.newGolden.scenarioFile)) }
    return .success
  }

  static let reject = Command(
    name: "reject", operands: "[ID…]",
    summary: "Rejects changes that wait for a review: the golden files stay as they are.",
    discussion: "ID is the scenario's id, as 'pending' lists it.",
    options: [allChanges, .scenarios, .golden, .pending], variables: [.pending]
  ) { arguments in
    let goldens = try arguments.goldens()
    for id in try ids(arguments, in: goldens) {
      try goldens.reject(id)
      try Output.print("kept \(goldens.path(of: id))".onOneLine + "\n")
    }
    return .success
  }

  /// Warns of scenarios that failed in their last test and have nothing to accept. A run that
  /// breaks a rule leaves no new text, so the app may still be wrong after all changes are
  /// accepted.
  private static func warnOfFailures(besides acceptedPaths: [String]) {
    do {
      let failedPaths = try FailedScenarios(in: URL(fileURLWithPath: ".build/debug")).paths()
      let acceptedFiles = Set(
        acceptedPaths.map { URL(fileURLWithPath: $0).standardizedFileURL.path })
      let otherPaths = failedPaths.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        .filter { !acceptedFiles.contains($0) }.map(\.relativeToWorkingDirectory).sorted()
      guard !otherPaths.isEmpty else { return }
      Output.error(
        "warning: \(otherPaths.count.counted("other scenario")) failed in the last test, because a rule is "
          + "broken or a step failed: \(otherPaths.shortList)\n")
    } catch {
      Output.error("warning: \(error)\n")
    }
  }

  private static let allChanges = Option("--all", "all changes that wait for a review")

  private static func ids(_ arguments: Arguments, in goldens: GoldenStore) throws -> [String] {
    let (pendingIDs, requestedIDs) = (try goldens.pendingIDs(), arguments.operands)
    if arguments.has(allChanges) {
      guard requestedIDs.isEmpty else { throw CommandError("\(allChanges.name) takes no ids") }
      return pendingIDs
    }
    guard !requestedIDs.isEmpty else {
      throw CommandError(
        "name ids, or use \(allChanges.name); 'backup-testing pending' lists the ids")
    }
    if let unknownID = requestedIDs.first(where: { !pendingIDs.contains($0) }) {
      throw goldens.nothingPendingError(unknownID)
    }
    return Set(requestedIDs).sorted()
  }
}
