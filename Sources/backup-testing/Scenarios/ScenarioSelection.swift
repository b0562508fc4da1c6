import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupScenarios
import BackupVerdicts
import Foundation

extension Option {
  static let golden = Option(
    "--golden", value: "FOLDER",
    "golden files; default: Golden beside Scenarios, Golden-Sync beside Sync")
  static let pending = Option(
    "--pending", value: "FOLDER", "new golden texts; default: beside the golden files")
  static let filter = Option(
    "--filter", value: "GLOB", "only scenarios whose id matches, such as 'marks/**'")
  static let shard = Option(
    "--shard", value: "N/COUNT", "only one of COUNT parts of the scenarios, such as 2/8")

  static let scenarios = Option(
    "--scenarios", value: "FOLDER",
    "the scenario folder; default is \(ScenarioFolder.usualName)")
}

/// The scenario files that the arguments of a command select.
struct ScenarioSelection {
  /// The selected scenarios of one folder, and their golden files.
  struct SelectedFolder {
    var scenarios: [Scenario]
    let goldens: GoldenStore
  }

  /// The selected scenario files of all shards. Each file is in only one folder.
  private let folders: [(folder: ScenarioFolder, goldens: GoldenStore)]
  /// The shard to run, or nil to run all scenarios.
  let shard: Shard?
  /// True if only whole folders are selected. A selection with a shard may be complete too.
  let selectsWholeFolders: Bool

  /// Finds the scenario files that the arguments name. If `--shard` or the environment names a
  /// shard, prints the shard.
  static func inShard(_ arguments: Arguments) throws -> ScenarioSelection {
    let requestedShard = try arguments.value(of: .shard).map {
      try Shard($0, from: Option.shard.name)
    }
    let shard = try requestedShard ?? Shard.shard(in: ProcessInfo.processInfo.environment)
    let selection = try ScenarioSelection(arguments, shard)
    guard let shard else { return selection }
    let folderPaths = selection.folders.map(\.folder.path).joined(separator: ", ")
    let countInShard = selection.folders.reduce(0) {
      $0 + selection.folderInShard(of: $1.folder).files.count
    }
    let totalCount = selection.paths.count
    guard countInShard > 0 else { throw shard.emptyShardError(of: totalCount, in: folderPaths) }
    Output.error("\(shard.sizeInWords(countInShard, of: totalCount, in: folderPaths))\n")
    return selection
  }

  init(_ arguments: Arguments, _ shard: Shard? = nil) throws {
    let operandNames = arguments.operands.isEmpty ? [ScenarioFolder.usualName] : arguments.operands
    let glob = arguments.value(of: .filter)
    let selections = try operandNames.map { name in
      let (folder, isWholeFolder) = try ScenarioFolder.found(named: name)
      return (
        folder: try glob.map { try folder.selecting(glob: $0) } ?? folder,
        isWholeFolder: isWholeFolder
      )
    }
    let folders = selections.map(\.folder)
    if folders.allSatisfy(\.files.isEmpty) {
      let filterPhrase = glob.map { " that '\($0)' matches" } ?? ""
      throw CommandError(
        "there is no scenario\(filterPhrase) in \(operandNames.joined(separator: ", ")); "
          + (glob == nil
            ? "name another folder, or write a file that ends in .json5 with 'backup-testing new ID'"
            : "check --filter"))
    }
    let goldenFolder = arguments.value(of: .golden)
    try goldenFolder.map(GoldenStore.init(folder:))?.requireFolder()
    self.folders = try Self.distinct(
      folders.map { folder in
        let goldens = GoldenStore(named: goldenFolder, besideScenarios: folder.path)
        return (folder, goldens.leavingNewTexts(in: arguments.pendingFolder))
      })
    self.shard = shard
    self.selectsWholeFolders = glob == nil && selections.allSatisfy(\.isWholeFolder)
  }

  var paths: [String] { folders.flatMap(\.folder.files).map(\.path) }

  /// The paths of the selected scenario files and of their app files.
  var watchedPaths: [String] { paths + folders.flatMap(\.folder.appFiles) }

  /// True if each app file is in a selected folder. An app file above a folder may also belong to
  /// other scenarios.
  var containsAppFiles: Bool {
    folders.allSatisfy { folder, _ in
      folder.appFiles.allSatisfy { $0.hasPrefix("\(folder.path)/") }
    }
  }

  /// Returns the files of a folder that are in the shard.
  private func folderInShard(of folder: ScenarioFolder) -> ScenarioFolder {
    shard.map { shard in folder.selecting { shard.contains($0.id) } } ?? folder
  }

  /// Reads the selected scenarios. If there are mistakes in them, throws an error with all
  /// mistakes.
  func readFolders() throws -> [SelectedFolder] {
    let (selectedFolders, mistakenFiles) = read()
    guard mistakenFiles.isEmpty else { throw RunError(mistakenFiles.flatMap(\.mistakes)) }
    return selectedFolders
  }

  func read() -> (selectedFolders: [SelectedFolder], mistakenFiles: [FileWithMistakes]) {
    let folderContents = folders.map { (folderInShard(of: $0.folder).read(), $0.goldens) }
    return (
      folderContents.map { SelectedFolder(scenarios: $0.scenarios, goldens: $1) },
      folderContents.flatMap(\.0.mistaken)
    )
  }

  /// Returns the golden files that belong to no scenario of any shard. Returns none unless whole
  /// folders are selected.
  func orphans() throws -> [String] {
    guard selectsWholeFolders else { return [] }
    let groups = Dictionary(grouping: folders, by: \.goldens.folder)
    return try groups.sorted { $0.key < $1.key }.flatMap { _, folders in
      try folders[0].goldens.orphans(notOwnedBy: folders.flatMap(\.folder.files).map(\.id))
    }
  }

  /// Returns the folders, with each file in only one of them. Throws an error if two files would
  /// share a golden file.
  private static func distinct(
    _ folders: [(folder: ScenarioFolder, goldens: GoldenStore)]
  ) throws -> [(folder: ScenarioFolder, goldens: GoldenStore)] {
    var owners: [String: String] = [:]
    return try folders.map { folder, goldens in
      let earlierOwners = owners
      for file in folder.files {
        let path = goldens.path(of: file.id)
        if let owner = owners.updateValue(file.path, forKey: path), owner != file.path {
          throw CommandError(
            "\(owner) and \(file.path) would share the golden file \(path); rename one of them")
        }
      }
      return (folder.selecting { earlierOwners[goldens.path(of: $0.id)] == nil }, goldens)
    }
  }
}

extension Arguments {
  /// The folder for new golden texts, or nil if they are put beside the golden files.
  var pendingFolder: String? {
    value(of: .pending) ?? ProcessInfo.processInfo.environment[GoldenStore.pendingVariable]
  }
}

extension GoldenStore {
  /// Creates the store for the folder of `--golden`, or else for the folder beside a scenario
  /// folder.
  init(named folder: String?, besideScenarios scenarios: String) {
    self = folder.map(Self.init(folder:)) ?? Self(besideScenarios: scenarios)
  }
}

// A user names scenarios by a folder, a file or an id.
extension ScenarioFolder {
  /// Returns the scenario folder that a user names. If the user names a file, an id or a folder
  /// inside a scenario folder, returns the scenario folder with only the named scenarios.
  /// `isWholeFolder` is true if the user names the returned folder itself.
  static func found(
    named name: String, in defaultFolder: String = usualName
  ) throws -> (folder: ScenarioFolder, isWholeFolder: Bool) {
    guard let kind = FileKind(at: name, followingLinks: true) else {
      let errorNumber = errno
      guard !MachineFault.includes(errorNumber) else {
        throw CommandError(
          "\(name): this cannot be examined: \(MachineFault.words(for: errorNumber))")
      }
      return (try scenarioFolder(id: name, in: defaultFolder), false)
    }
    let path = normalized(name)
    let pathParts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folderParts = kind == .folder ? pathParts : pathParts.dropLast()
    let rootIndex = folderParts.indices.last {
      isScenarioFolder(folderParts[...$0].joined(separator: "/"))
    }
    let rootLength = rootIndex.map { $0 + 1 } ?? folderParts.count
    let rootPath = folderParts[..<rootLength].joined(separator: "/")
    let rootFolder = rootLength == 0 ? "." : rootPath.isEmpty ? "/" : rootPath
    if kind == .folder {
      let folder = try ScenarioFolder(path: rootFolder)
      guard rootLength < pathParts.count else { return (folder, true) }
      return (folder.selecting { $0.path.hasPrefix("\(path)/") }, false)
    }
    let file = rootLength == 0 ? "./\(path)" : path
    if let folderOfFile = ScenarioFolder(file: file, in: rootFolder) {
      return (folderOfFile, false)
    }
    try requireRegularScenarioFile(name)
    if AppFile.isReserved(name) {
      throw CommandError(
        "\(name): this is no scenario, but gives the classes of the app's files in all scenarios; name a "
          + "scenario or the folder")
    }
    throw CommandError("\(name): this is not a scenario file; expected a file that ends in .json5")
  }

  /// Reads the scenario with an id or a path. A name that is both is treated as an id.
  static func scenario(named name: String, in defaultFolder: String?) throws -> Scenario {
    let folderPath = defaultFolder ?? usualName
    let folderExists = FileManager.default.fileExists(atPath: folderPath)
    let folderOfID = folderExists ? try ScenarioFolder(path: folderPath).selecting(name) : nil
    let folder = try folderOfID ?? found(named: name, in: folderPath).folder
    guard folder.files.count == 1 else {
      throw CommandError(
        "\(name): the folder contains \(folder.files.count) scenarios; name one of them")
    }
    return try folder.scenarios()[0]
  }

  private static func scenarioFolder(id: String, in path: String) throws -> ScenarioFolder {
    guard path != id, FileManager.default.fileExists(atPath: path) else {
      return try ScenarioFolder(path: id)
    }
    let folder = try ScenarioFolder(path: path)
    if let selected = folder.selecting(id) { return selected }
    let relativeID = id.hasPrefix("\(path)/") ? String(id.dropFirst(path.count + 1)) : id
    let plainID = suffix(of: relativeID).map { String(relativeID.dropLast($0.count)) } ?? relativeID
    let pathOfPlainID = folder.selecting(plainID)?.files.first?.path
    let nearestName = pathOfPlainID ?? NearestWord.to(plainID, in: folder.files.map(\.id) + [path])
    let advice = nearestName.map { "did you mean '\($0)'?" } ?? "name a folder, a file or an id"
    throw CommandError(
      "there is no folder or file '\(id)', and no scenario of that id in \(path); \(advice)")
  }

  /// Returns a path without `.` and without empty components. An absolute path keeps its first
  /// slash.
  private static func normalized(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    return path.hasPrefix("/") ? "/\(parts)" : parts.isEmpty ? "." : parts
  }
}
