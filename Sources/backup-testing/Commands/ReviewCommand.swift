import BackupDiagnostics
import BackupReports
import BackupVerdicts
import Foundation

extension Command {
  static let review = Command(
    name: "review", operandCounts: 0...0,
    summary: "Shows each change of a golden file that waits for a review, and asks what to do.",
    discussion: """
      If an outcome differs from a golden file, 'run' and 'swift test' leave the new text beside the
      file, as 'x.golden.new', or in the folder of --pending. Files that change in the same way are
      one question. Without a terminal, the changes are only listed. The exit status is 0 if no
      change is left, and 1 if one is.
      """,
    options: [.scenarios, .golden, .pending], variables: [.pending]
  ) { arguments in
    let goldens = try arguments.goldens()
    let (pendingChanges, status) = try goldens.readPending()
    guard !pendingChanges.isEmpty else {
      if status == .success { try Output.print(goldens.nothingPendingMessage) }
      return status
    }
    let undecidedCount = try Review.run(on: pendingChanges, in: goldens)
    return status == .failure && undecidedCount == 0 ? .success : status
  }
}

extension GoldenStore {
  /// A line for the case that nothing waits for a review.
  var nothingPendingMessage: String {
    "no golden file in \(folder.onOneLine) waits for a review; a scenario that breaks a rule leaves none\n"
  }
}

/// A dialog in the terminal about changes of golden files.
struct Review {
  let goldens: GoldenStore
  let isColored: Bool

  /// Asks about each change. If standard input is not a terminal, lists the changes instead.
  ///
  /// - Returns: The number of changes without a decision.
  static func run(on pendingChanges: [PendingGolden], in goldens: GoldenStore) throws -> Int {
    let review = Review(goldens: goldens, isColored: Output.isOutputColored)
    guard isatty(STDIN_FILENO) == 1 else {
      try Output.print(review.listText(pendingChanges))
      return pendingChanges.count
    }
    return try review.ask(about: pendingChanges, readAnswer: { readLine() }, print: Output.print)
  }

  func listText(_ pendingChanges: [PendingGolden]) -> String {
    PendingGolden.groups(of: pendingChanges).map(text).joined()
      + """
      to accept, run: \(goldens.command("accept")) ID…
      to reject, run: \(goldens.command("reject")) ID…

      """
  }

  /// Asks about each group of equal changes. The end of input ends the review.
  ///
  /// - Returns: The number of changes without a decision.
  func ask(
    about pendingChanges: [PendingGolden], readAnswer: () -> String?, print: (String) throws -> Void
  ) throws -> Int {
    var (acceptedCount, rejectedCount) = (0, 0)
    var groups = PendingGolden.groups(of: pendingChanges)[...]
    while let group = groups.popFirst() {
      try print(text(of: group))
      switch try choice(for: group, readAnswer, print) {
      case "a":
        for change in group { try goldens.accept(change) }
        acceptedCount += group.count
      case "r":
        for change in group { try goldens.reject(change.id) }
        rejectedCount += group.count
      case "e": groups = group.map { [$0] } + groups
      case "s": break
      default: groups = []
      }
    }
    let undecidedCount = pendingChanges.count - acceptedCount - rejectedCount
    try print("\n\(acceptedCount) accepted, \(rejectedCount) rejected, \(undecidedCount) left\n")
    return undecidedCount
  }

  /// Asks for a letter until the answer is valid. Returns nil at the end of input.
  private func choice(
    for group: [PendingGolden], _ readAnswer: () -> String?, _ print: (String) throws -> Void
  ) throws -> String? {
    let (allPhrase, eachPhrase) =
      group.count > 1 ? (" all \(group.count)", ", [e]ach alone") : ("", "")
    let letters = ["a", "r", "s", "q"] + (group.count > 1 ? ["e"] : [])
    while true {
      try print("[a]ccept\(allPhrase), [r]eject\(allPhrase), [s]kip\(eachPhrase), [q]uit? ")
      guard let line = readAnswer() else { return nil }
      let letter = line.trimmingCharacters(in: .whitespaces).lowercased()
      if letters.contains(letter) { return letter }
      try print("answer with one of these letters: \(letters.joined(separator: ", "))\n")
    }
  }

  private func text(of group: [PendingGolden]) -> String {
    let countLine = group.count > 1 ? ["the same change in \(group.count) files:"] : []
    let heading = (countLine + group.map(\.title)).map {
      isColored ? "\u{1B}[1m\($0)\u{1B}[0m" : $0
    }
    let details = group.first?.details(isColored: isColored) ?? []
    return (heading + details.map { "  \($0)" } + [""]).map { "\($0)\n" }.joined()
  }
}
