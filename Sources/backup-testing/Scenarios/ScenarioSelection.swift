import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Foundation

extension Option {
  static let golden = Option(
    "--golden", value: "FOLDER",
    "the golden files; default: Golden beside Scenarios, Golden-N beside N")
  static let filter = Option(
    "--filter", value: "GLOB", "only scenarios whose id matches, such as 'marks/**'")
}

/// The scenarios that a command's operands and options name.
struct ScenarioSelection {
  /// The scenarios of one folder that are selected, and the golden files they are compared with.
  typealias Part = (scenarios: [Scenario], goldens: GoldenStore)

  private let folders: [ScenarioFolder]
  /// The golden folder that was named.
  private let golden: String?
  /// Whether whole folders are selected.
  let isComplete: Bool

  /// Finds the scenario files that arguments name.
  init(_ arguments: Arguments) throws(CommandError) {
    let names = arguments.operands.isEmpty ? [ScenarioFolder.usualName] : arguments.operands
    let glob = arguments.value(of: .filter)
    var folders: [ScenarioFolder] = []
    var isComplete = glob == nil
    try CommandError.rethrowing { () throws(RunError) in
      for name in names {
        let (folder, isWhole) = try ScenarioFolder.found(named: name)
        isComplete = isComplete && isWhole
        folders.append(
          try glob.map { glob throws(RunError) in try folder.selecting(glob: glob) } ?? folder)
      }
    }
    if folders.allSatisfy(\.files.isEmpty) {
      let filter = glob.map { " that '\($0)' matches" } ?? ""
      throw CommandError(
        "there is no scenario\(filter) in \(names.joined(separator: ", ")); "
          + (glob == nil ? "name another folder" : "check --filter"))
    }
    let golden = arguments.value(of: .golden)
    try CommandError.rethrowing { () throws(RunError) in
      try golden.map(GoldenStore.init(folder:))?.requireFolder()
    }
    self.golden = golden
    self.folders = try Self.distinct(folders, golden)
    self.isComplete = isComplete
  }

  /// Reads the selected scenarios, and says every mistake in them at once.
  func parts() throws(CommandError) -> [Part] {
    let (parts, mistaken) = read()
    guard mistaken.isEmpty else { throw CommandError(mistaken.flatMap(\.mistakes)) }
    return parts
  }

  /// Reads the selected scenarios, and the files that cannot be read as scenarios.
  func read() -> (parts: [Part], mistaken: [MistakenFile]) {
    var parts: [Part] = []
    var mistaken: [MistakenFile] = []
    for folder in folders {
      let found = folder.read()
      parts.append((found.scenarios, Self.goldens(of: folder, golden)))
      mistaken += found.mistaken
    }
    return (parts, mistaken)
  }

  /// The golden files that no scenario names; none unless whole folders are selected.
  ///
  /// - Throws: ``CommandError`` where a golden folder cannot be read.
  func orphans() throws(CommandError) -> [String] {
    guard isComplete else { return [] }
    let groups = Dictionary(grouping: folders) { Self.goldens(of: $0, golden).folder }
    var orphans: [String] = []
    for (_, folders) in groups.sorted(by: { $0.key < $1.key }) {
      guard let goldens = folders.first.map({ Self.goldens(of: $0, golden) }) else { continue }
      orphans += try CommandError.rethrowing { () throws(RunError) in
        try goldens.orphans(besides: folders.flatMap(\.files).map(\.id))
      }
    }
    return orphans
  }

  /// Folders in which each file stands once; two that share a golden file are a mistake.
  private static func distinct(
    _ folders: [ScenarioFolder], _ golden: String?
  ) throws(CommandError) -> [ScenarioFolder] {
    var owners: [String: String] = [:]
    var distinct: [ScenarioFolder] = []
    for folder in folders {
      let goldens = goldens(of: folder, golden)
      for file in folder.files {
        let path = goldens.path(of: file.id)
        if let owner = owners[path], owner != file.path {
          throw CommandError(
            "\(owner) and \(file.path) would share the golden file \(path); rename one of them")
        }
      }
      distinct.append(folder.selecting { owners[goldens.path(of: $0.id)] == nil })
      for file in folder.files { owners[goldens.path(of: file.id)] = file.path }
    }
    return distinct
  }

  private static func goldens(of folder: ScenarioFolder, _ golden: String?) -> GoldenStore {
    golden.map(GoldenStore.init(folder:)) ?? GoldenStore(besideScenarios: folder.path)
  }
}
