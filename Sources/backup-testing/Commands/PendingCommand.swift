import BackupReports
import BackupVerdicts

extension Command {
  static let pending = Command(
    name: "pending", operandCounts: 0...0,
    summary: "Lists the golden files whose changes wait for a review.",
    discussion: """
      If an outcome differs from a golden file, 'run' and 'swift test' leave the new text beside the
      file, as 'x.golden.new'. The exit status is 0 if there is no such file, 1 if there is one, and
      2 if one cannot be used.
      """,
    options: [.scenarios, .golden, .format(pendingFormats)],
    run: listPending)

  private static let pendingFormats: [OutputFormat<[PendingGolden]>] = [
    OutputFormat("text") { $0.map { "\($0.title)\n" }.joined() },
    .json { PendingList(pending: $0.map(PendingList.Change.init)) },
  ]

  private static func listPending(_ arguments: Arguments) async throws -> ExitStatus {
    let format = try arguments.format(of: pendingFormats)
    let (pending, status) = try arguments.goldens().readPending()
    try Output.print(try format.write(pending))
    return status
  }
}

extension GoldenStore {
  /// The changes that wait for a review, and how a command ends that leaves them. Those that cannot
  /// be used are written to standard error.
  func readPending() throws -> (pending: [PendingGolden], status: ExitStatus) {
    var status = ExitStatus.success
    let pending = try pendingIDs().compactMap { id -> PendingGolden? in
      do {
        return try self.pending(id)
      } catch {
        Output.error(error)
        status = .unusable
        return nil
      }
    }
    return (pending, status == .success && !pending.isEmpty ? .failure : status)
  }
}

extension Arguments {
  /// The golden files of `--golden`, or those beside the scenarios of `--scenarios`.
  func goldens() throws -> GoldenStore {
    let store =
      value(of: .golden).map(GoldenStore.init(folder:))
      ?? GoldenStore(besideScenarios: value(of: .scenarios) ?? ScenarioFolder.usualName)
    try store.requireFolder()
    return store
  }
}

/// What `pending --format json` writes.
private struct PendingList: Encodable {
  struct Change: Encodable {
    let id: String
    let golden: String
    let new: String
    let scenario: String
    let summary: String

    init(_ pending: PendingGolden) {
      id = pending.id
      golden = pending.golden
      new = pending.path
      scenario = pending.scenario
      summary = pending.summary
    }
  }

  var format = 1
  let pending: [Change]
}
