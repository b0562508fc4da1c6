import BackupContainer
import BackupDiagnostics
import BackupExploration
import BackupScenarios
import BackupVerdicts

/// `explore`: lets the system act at every point of scenarios.
enum ExploreCommand: Command {
  static let name = "explore"
  static let operands = "[FOLDER|FILE|ID…]"
  static let summary = "Lets the system act at every point of scenarios, and shows what goes wrong."
  static let discussion = """
    At every point the app is killed, ended, updated, purged or moved to a new device. What goes wrong
    then is shown as the smallest scenario file that goes wrong too. Scenarios that name findings by
    'expect', or perform the app's own code, are not explored; the status is 1 where none was.
    """
  static let options: [Option] = [.filter, depth, budget, tier, write]

  /// How often the system acts.
  private static let depth = Option(
    "--depth", value: "N", "let the system act up to N times in a story; default is 1")
  /// How many histories there may be.
  private static let budget = Option(
    "--budget", value: "N", "follow at most N histories of each scenario; default is 2000")
  /// What is reported.
  private static let tier = Option(
    "--tier", value: "TIER",
    "lasting (default), or interrupted: until an activity is done again too")

  /// Where the stories go.
  private static let write = Option(
    "--write", value: "FOLDER", "write each story as a new scenario file into this folder")

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    let settings = try settings(arguments)
    let all = try ScenarioSelection(arguments).parts().flatMap(\.scenarios)
    let scenarios = all.filter(\.expectations.isEmpty)
    let folder = arguments.value(of: write)?.withoutEndingSlash
    var results: [ExploredScenario] = []
    for scenario in scenarios {
      let result = await ExploredScenario(scenario, settings)
      results.append(result)
      try Output.print(ExplorationText.text(of: result))
      if let folder { try writeStories(of: result, into: folder) }
    }
    try Output.print(ExplorationText.summary(of: results, leftOut: all.count - scenarios.count))
    guard results.contains(where: { $0.obstacle == nil }) else { return .failure }
    let isGreen = results.allSatisfy { !$0.isWrong && $0.counts.isComplete }
    return isGreen ? .success : .failure
  }

  /// Writes the stories of a scenario's mistakes, each as a file that is named after it; over nothing
  /// but the same story.
  private static func writeStories(
    of result: ExploredScenario, into folder: String
  ) throws(CommandError) {
    let name = result.scenario.id.replacing("/", with: "-")
    for (index, example) in result.counterexamples.enumerated() {
      let path = "\(folder)/\(name)-\(index + 1).json5"
      if FileKind(at: path, followingLinks: false) != nil {
        let found = try? RegularFile.bytes(
          at: path, upTo: example.text.utf8.count + 1, followingLinks: false)
        guard found == Array(example.text.utf8) else {
          throw CommandError(
            "\(path.onOneLine): something else than this story is there; name another folder")
        }
      } else {
        try CommandError.rethrowing { () throws(RunError) in
          let file = TextFile(path: path)
          try file.makeFolder()
          try file.writeNew(example.text)
        }
      }
      try Output.print("written: \(path.onOneLine)\n")
    }
  }

  /// What the options say.
  private static func settings(
    _ arguments: Arguments
  ) throws(CommandError) -> ExplorationSettings {
    var settings = ExplorationSettings()
    settings.depth =
      try arguments.number(of: depth, upTo: ExplorationSettings.mostActs) ?? settings.depth
    settings.budget = try arguments.number(of: budget, upTo: 10_000_000) ?? settings.budget
    if let word = arguments.value(of: tier) {
      let tiers = ExplorationSettings.Tier.allCases.map(\.rawValue)
      guard let named = ExplorationSettings.Tier(rawValue: word) else {
        throw CommandError(
          "\(tier.name): there is no '\(word)'; \(NearestWord.advice(for: word, in: tiers))")
      }
      settings.tier = named
    }
    return settings
  }
}

extension Arguments {
  /// The whole number of an option; nil where it is not given.
  fileprivate func number(of option: Option, upTo most: Int) throws(CommandError) -> Int? {
    guard let word = value(of: option) else { return nil }
    guard let number = Int(word), (1...most).contains(number) else {
      throw CommandError(
        "\(option.name): '\(word)' is no number; expected a whole number from 1 to \(most)")
    }
    return number
  }
}
