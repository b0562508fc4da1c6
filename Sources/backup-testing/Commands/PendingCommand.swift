import BackupContainer
import BackupDiagnostics
import BackupReports
import BackupVerdicts

extension Command {
  static let pending = Command(
    name: "pending", operandCounts: 0...0,
    summary: "Lists the golden files whose changes wait for a review.",
    discussion: """
      If an outcome differs from a golden file, 'run' and 'swift test' leave the new text beside the
      file, as 'x.golden.new', or in the folder of --pending. The exit status is 0 if there is no
      such file, 1 if there is one, and 2 if one cannot be used.
      """,
    options: [.scenarios, .golden, .pending, .format(pendingFormats)], variables: [.pending]
  ) { arguments in
    let format = try arguments.format(of: pendingFormats)
    let (pendingChanges, status) = try arguments.goldens().readPending()
    try Output.print(try format.text(pendingChanges))
    return status
  }

  private static let pendingFormats: [OutputFormat<[PendingGolden]>] = [
    OutputFormat("text") { $0.map { "\($0.title)\n" }.joined() },
    .json { pendingChanges -> JSONValue in
      let changes = pendingChanges.map { change -> JSONValue in
        [
          "id": .string(change.id), "golden": .string(change.goldenPath),
          "new": .string(change.newPath),
          "scenario": .string(change.newGolden.scenarioFile), "summary": .string(change.summary),
        ]
      }
      return ["format": .number(1), "pending": .array(changes)]
    },
  ]
}

extension GoldenStore {
  /// Returns the changes that wait for a review, and the exit status for them. On standard error,
  /// reports the changes that cannot be used.
  func readPending() throws -> (pending: [PendingGolden], status: ExitStatus) {
    var status = ExitStatus.success
    let pendingChanges = try pendingIDs().compactMap { id -> PendingGolden? in
      do {
        return try self.readPending(id)
      } catch {
        Output.error(error)
        status = .unusableInput
        return nil
      }
    }
    return (pendingChanges, status == .success && !pendingChanges.isEmpty ? .failure : status)
  }
}

extension Arguments {
  /// Returns the golden files in the folder of `--golden`, or beside the scenarios of
  /// `--scenarios`.
  func goldens() throws -> GoldenStore {
    let scenarios = value(of: .scenarios) ?? ScenarioFolder.usualName
    let store = GoldenStore(named: value(of: .golden), besideScenarios: scenarios)
    try store.requireFolder()
    // Without this check, a command with a mistyped folder would report no changes to review.
    for option in [Option.scenarios, .golden] {
      if let folder = value(of: option),
        try FileKind.ofItem(at: folder, followingLinks: true) == nil
      {
        throw CommandError("\(folder): no such folder; correct \(option.name)")
      }
    }
    if let folder = pendingFolder, try FileKind.ofItem(at: folder, followingLinks: true) == nil {
      Output.error("warning: \(folder): no such folder, so no new text waits in it\n")
    }
    return store.leavingNewTexts(in: pendingFolder)
  }
}
