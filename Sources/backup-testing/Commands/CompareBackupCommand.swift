import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupFolders
import BackupScenarios
import BackupVerdicts
import Foundation

extension Command {
  static let compareBackup = Command(
    name: "compare-backup",
    operands: "FOLDER", operandCounts: 1...1,
    summary: "Compares a real backup folder with what the kit predicts for a container.",
    discussion: """
      FOLDER is a backup that the Finder or iTunes made; it is never changed. If it is encrypted, give
      its password by --password-file, or type it in a terminal. Without --container, items are judged
      only by their place and name in the backup, and missing items are not noticed. The exit status
      is 1 if there is a difference, or an invalid row in the manifest.
      """,
    options: [app, container, group, appExtension, passwordFile, system, .format(formats), record],
    run: compareFolder)

  private static let app = Option("--app", value: "ID", "the app's bundle identifier; required")
  private static let container = Option(
    "--container", value: "PATH",
    "the app's container, an .xcappdata that contains it, or its container.list")
  private static let group = Option(
    "--group", value: "ID[=PATH]",
    "a group of the app, with its container or list; may be repeated")
  private static let appExtension = Option(
    "--extension", value: "ID[=PATH]",
    "an extension of the app, with its container or list; may be repeated")
  private static let passwordFile = Option(
    "--password-file", value: "FILE", "a file whose first line is the backup's password")
  private static let system = Option(
    "--system", value: "VERSION",
    "the backup's version of iOS, or 'newest'; default: the version in FOLDER")

  private static let record = Option(
    "--record", value: "FILE",
    "write what agreed and what differed to FILE, and a golden file beside it")

  private static let formats = [
    OutputFormat<BackupComparison>("text") { $0.text }, .json { $0.json },
  ]

  private static func compareFolder(_ arguments: Arguments) async throws -> ExitStatus {
    let format = try arguments.format(of: formats)
    let containers = try containers(arguments)
    let output = try arguments.value(of: record).map { path in
      try ComparisonRecord(at: path, outside: arguments.operands + containers.compactMap(\.path))
    }
    let (comparison, folder) = try comparison(arguments, containers)
    let text = try format.write(comparison)
    try output?.write(comparison, of: folder, app: app(arguments))
    try Output.print(text)
    return comparison.isClean ? .success : .failure
  }

  private static func comparison(
    _ arguments: Arguments, _ containers: [ComparedContainer]
  ) throws -> (BackupComparison, BackupFolder) {
    let app = try app(arguments)
    var tree = FileTree()
    for container in containers {
      tree.insert(container.tree, ofContainer: container.domain.container)
    }
    var folder = try BackupFolder(at: arguments.operands[0])
    if folder.isLocked { try folder.unlock(password: password(arguments, of: folder)) }
    let profile = try profile(arguments, for: folder)
    let contents = try folder.contents(of: containers.map(\.domain), app: app)
    try requireSomething(of: containers, in: contents, folder)
    var comparison = BackupComparison(
      contents, with: tree, domains: containers.map(\.domain),
      known: Set(containers.filter { $0.path != nil }.map(\.domain)), on: profile)
    if let (item, reason) = comparison.unreadable {
      let container = containers.first { $0.domain.container == item.containerName }
      throw BackupFolderError(
        container?.path ?? folder.path, "'\(item)' cannot be read: \(reason)")
    }
    comparison.remarks = remarks(on: containers) + folder.remarks(on: profile)
    return (comparison, folder)
  }

  private static func password(_ arguments: Arguments, of folder: BackupFolder) throws -> String {
    if let file = arguments.value(of: passwordFile) {
      do throws(RegularFile.Obstacle) {
        let bytes = try RegularFile.bytes(at: file, upTo: 10_000, followingLinks: true)
        return String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
      } catch {
        throw BackupFolderError(error)
      }
    }
    guard isatty(STDIN_FILENO) == 1, let typed = getpass("Password of the backup: ") else {
      throw BackupFolderError(
        folder.path,
        "the backup is encrypted; name a file whose first line is the password with "
          + "'\(passwordFile.name)'")
    }
    return String(cString: typed)
  }

  /// Refuses a backup that has nothing of the app, or nothing of a container whose place was not
  /// given: nothing of it would be compared.
  private static func requireSomething(
    of containers: [ComparedContainer], in contents: BackupContents, _ folder: BackupFolder
  ) throws(BackupFolderError) {
    for container in containers where !contents.domains.contains(container.domain) {
      if let name = container.domain.container {
        guard container.path == nil else { continue }
        throw BackupFolderError(
          folder.path,
          "the backup contains nothing of '\(name.containerIdentifier)'; correct the identifier, "
            + "or add its container: \(name.containerIdentifier)=PATH")
      }
      let app = String(container.domain.name.dropFirst(BackupDomain.appPrefix.count))
      let advice =
        NearestWord.to(app, in: folder.apps.filter { $0 != app }).map {
          "did you mean '\($0.shown)'?"
        } ?? "name an app that it contains"
      throw BackupFolderError(
        folder.path, "the backup contains nothing of '\(app)'; \(advice)")
    }
  }

  private static func remarks(on containers: [ComparedContainer]) -> [String] {
    containers.compactMap { container in
      container.listedSystem.map {
        "\(container.domain.name): the container was read from its list, which was written on iOS "
          + "\($0)"
      }
    }
  }

  private static func app(_ arguments: Arguments) throws -> String {
    let app = try arguments.required(app)
    if let problem = ContainerPath.Component.problem(withApp: app) { throw CommandError(problem) }
    return app
  }

  private static func containers(_ arguments: Arguments) throws -> [ComparedContainer] {
    let app = try app(arguments)
    var containers = [try ComparedContainer(nil, of: app, at: arguments.value(of: container))]
    for option in [group, appExtension] {
      for words in arguments.allValues(of: option) {
        let parts = words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let identifier = String(parts[0])
        let problem =
          option.name == group.name
          ? ContainerPath.Component.problem(withGroup: identifier)
          : ContainerPath.Component.problem(withExtension: identifier, of: app)
        if let problem { throw CommandError("\(option.name): \(problem)") }
        let name = ContainerPath.Component(containerOf: identifier)
        guard !containers.contains(where: { $0.domain.container == name }) else {
          throw CommandError("\(option.name): '\(identifier)' appears twice; keep one")
        }
        containers.append(
          try ComparedContainer(name, of: app, at: parts.count > 1 ? String(parts[1]) : nil))
      }
    }
    return containers
  }

  private static func profile(
    _ arguments: Arguments, for folder: BackupFolder
  ) throws -> SystemProfile {
    if let word = arguments.value(of: system) { return try SystemProfile.named(word, by: system) }
    if let profile = folder.profile { return profile }
    throw BackupFolderError(
      folder.path, "it does not contain its version of iOS; name the version with '\(system.name)'")
  }
}

struct ComparedContainer {
  let domain: BackupDomain
  /// Where it or its list is, as it was named; nil if it was not given.
  let path: String?
  /// What is in it; empty if its place was not given.
  private(set) var tree = FileTree()
  /// The iOS under which the app has listed it; nil where it was read itself.
  private(set) var listedSystem: String?

  /// A container on disk, or as a list says; neither with no path.
  init(_ name: ContainerPath.Component?, of app: String, at path: String?) throws {
    self.domain = BackupDomain(name, of: app)
    self.path = path
    guard let path else { return }
    let identifier = name?.containerIdentifier
    if FileKind(at: path, followingLinks: true) == .file {
      try take(list: path, of: identifier ?? app, followingLinks: true)
      return
    }
    let found = try FoundContainer(at: path, of: identifier)
    guard let item = found.tree[ContainerList.place] else {
      tree = found.tree
      return
    }
    // The container may be from anybody, so what is there counts, and not where a link leads.
    let file = found.url.appendingPathComponent(ContainerList.place.string).path
    guard item.size != nil else {
      throw CommandError("\(file): this is not a file; remove it, or name the container's list")
    }
    try take(list: file, of: identifier ?? app, followingLinks: false)
  }

  private mutating func take(
    list file: String, of identifier: String, followingLinks: Bool
  ) throws {
    let list = try ContainerList(at: file, followingLinks: followingLinks)
    let items = try list.tree(of: file)
    guard list.bundleIdentifier == identifier else {
      throw CommandError(
        "\(file): this is the list of '\(list.bundleIdentifier.shown)', not of '\(identifier)'; "
          + "name the list of that container")
    }
    tree = items
    listedSystem = list.system.shown
  }
}

/// What `compare-backup --record` writes: a record of the comparison, and beside it the golden file of
/// what was backed up.
struct ComparisonRecord {
  private let record: TextFile
  private let golden: TextFile
  private let id: String

  /// The files, where nothing is and which nothing is read from; the golden file has `.golden` in
  /// place of `.json`.
  init(at path: String, outside folders: [String]) throws {
    let stem = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
    let golden = "\(stem).golden"
    for path in [path, golden] where FileKind(at: path, followingLinks: false) != nil {
      throw CommandError("\(path): the file already exists; name a new file for the record")
    }
    self.record = try TextFile(reportAt: path)
    for folder in folders { try record.requireOutside(of: folder, []) }
    self.golden = TextFile(path: golden)
    self.id = URL(fileURLWithPath: stem).lastPathComponent
  }

  /// Writes what a comparison has shown, where that is evidence of anything.
  func write(_ comparison: BackupComparison, of folder: BackupFolder, app: String) throws {
    if let reason = comparison.whyNoEvidence {
      throw CommandError("--record: nothing was recorded: \(reason)")
    }
    let record = FidelityRecord(comparison, of: folder, kit: Tool.version)
    let golden = try Scenario.golden(
      id: id, app: app, containers: comparison.domains.compactMap(\.container),
      comparison.observed, of: comparison.tree, on: comparison.profile)
    let text = try OutputFormat<FidelityRecord>.json { $0 }.write(record)
    // A signal waits until both are there, or neither.
    UnfinishedWork.shared.begin()
    defer { UnfinishedWork.shared.end() }
    try self.record.writeNew(text)
    do {
      try self.golden.writeNew(golden)
    } catch {
      // Neither is there without the other.
      self.record.remove()
      throw error
    }
  }
}
