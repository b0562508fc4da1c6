import BackupDevice
import BackupJSON5
import BackupScenarios

/// A scenario file that tells a history: what a scenario says beside its steps, and the history's.
struct StoryText: Hashable, Sendable {
  /// A line that may be left out.
  enum Line: Hashable, Sendable {
    /// A step at each start, by its index in the file.
    case launch(Int)
    /// What the app promised of its files, by its index in the file.
    case promise(Int)
    /// Something that happens, by its place in the history.
    case element(Int, StoryElement)
  }

  /// The lines, in order.
  var lines: [Line]
  /// The title of the file.
  let title: String

  /// The keys of a scenario that a history keeps as they are.
  private static let kept = ["app", "guidance", "budget", "storage", "start"]

  /// The file.
  ///
  /// - Parameters:
  ///   - teller: Tells the story of the scenario.
  ///   - variant: The system and the backup kind that it is told under.
  /// - Returns: JSON5, with a step on each line.
  func text(_ teller: StoryTeller, _ variant: Scenario.Variant) -> String {
    let source = teller.story.scenario.source ?? .object([])
    var members = [("title", LocatedValue.string(title).line)]
    members += Self.kept.compactMap { key in source[key].map { (key, $0.line) } }
    members.append(("system", LocatedValue.string("\(variant.system)").line))
    members.append(("backups", LocatedValue.string(variant.backups.rawValue).line))
    var (launch, promises, steps): ([String], [String], [String]) = ([], [], [])
    let (launches, files) = (source["launch"]?.elements ?? [], source["files"]?.members ?? [])
    for line in lines {
      switch line {
      case .launch(let index): launch.append(launches[index].line)
      case .promise(let index): promises.append(files[index].line)
      case .element(_, let element): steps += teller.values(of: element).map(\.line)
      }
    }
    if !promises.isEmpty { members.append(("files", Self.block("{", promises, "}"))) }
    if !launch.isEmpty { members.append(("launch", Self.block("[", launch, "]"))) }
    members.append(("steps", Self.block("[", steps, "]")))
    return "{\n\(members.map { "  \($0.0): \($0.1),\n" }.joined())}\n"
  }

  /// How many steps the file has.
  func stepCount(_ teller: StoryTeller) -> Int {
    lines.reduce(0) { count, line in
      guard case .element(_, let element) = line else { return count }
      return count + teller.values(of: element).count
    }
  }

  /// Lines between brackets.
  private static func block(_ open: String, _ lines: [String], _ close: String) -> String {
    "\(open)\n\(lines.map { "    \($0),\n" }.joined())  \(close)"
  }
}
