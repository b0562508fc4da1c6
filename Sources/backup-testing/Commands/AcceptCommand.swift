import BackupDiagnostics
import BackupReports
import BackupVerdicts

extension Command {
  static let accept = Command(
    name: "accept", operands: "[ID…]",
    summary: "Accepts changes that wait for a review: the new texts become the golden files.",
    discussion: """
      ID is the scenario's id, as 'pending' lists it. Nothing is written if one of the changes cannot
      be used. If the command is killed, run it again with --all.
      """,
    options: [every, .scenarios, .golden, .pending], variables: [.pending]
  ) { arguments in
    let goldens = try arguments.goldens()
    for change in try ids(arguments, in: goldens).map(goldens.pending) {
      try goldens.accept(change)
      try Output.print("accepted \(change.golden)".onOneLine + "\n")
    }
    return .success
  }

  static let reject = Command(
    name: "reject", operands: "[ID…]",
    summary: "Rejects changes that wait for a review: the golden files stay as they are.",
    discussion: "ID is the scenario's id, as 'pending' lists it.",
    options: [every, .scenarios, .golden, .pending], variables: [.pending]
  ) { arguments in
    let goldens = try arguments.goldens()
    for id in try ids(arguments, in: goldens) {
      try goldens.reject(id)
      try Output.print("kept \(goldens.path(of: id))".onOneLine + "\n")
    }
    return .success
  }

  private static let every = Option("--all", "all changes that wait for a review")

  private static func ids(_ arguments: Arguments, in goldens: GoldenStore) throws -> [String] {
    let (pending, named) = (try goldens.pendingIDs(), arguments.operands)
    if arguments.has(every) {
      guard named.isEmpty else { throw CommandError("\(every.name) takes no ids") }
      return pending
    }
    guard !named.isEmpty else {
      throw CommandError("name ids, or use \(every.name); 'backup-testing pending' lists the ids")
    }
    if let unknown = named.first(where: { !pending.contains($0) }) {
      throw goldens.nothingPending(unknown)
    }
    return Set(named).sorted()
  }
}
