import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupFolders
import BackupScenarios
import BackupVerdicts
import Foundation

/// `compare-backup`: says what a real backup holds of an app beside what the kit predicts.
enum CompareBackupCommand: Command {
  static let name = "compare-backup"
  static let operands = "FOLDER"
  static let summary = "Compares a real backup folder with what the kit predicts for a container."
  static let discussion = """
    FOLDER is a backup of the Finder's or of iTunes, unencrypted. It is only read. Without --container
    only what the backup lists is judged, by its place and name; what is missing cannot be told then.
    The status is 1 for a difference, and for rows that no device writes.
    """
  static let options: [Option] = [
    app, container, group, appExtension, system, .format(formats), record,
  ]

  /// The app.
  private static let app = Option("--app", value: "ID", "the app's bundle identifier; needed")
  /// The app's own container.
  private static let container = Option(
    "--container", value: "PATH",
    "the app's container, an .xcappdata that holds it, or its container.list")
  /// A group's container.
  private static let group = Option(
    "--group", value: "ID[=PATH]", "a group of the app's, with its container; may be repeated")
  /// An extension's container.
  private static let appExtension = Option(
    "--extension", value: "ID[=PATH]",
    "an extension of the app's, with its container; may be repeated")
  /// The system by whose rules the prediction goes.
  private static let system = Option(
    "--system", value: "VERSION", "the iOS that backed up, or 'newest'; default is what FOLDER says"
  )

  /// Where the record of the comparison is written.
  private static let record = Option(
    "--record", value: "FILE", "write what agreed and what did not, with paths and no contents")

  /// The formats, the usual one first.
  static let formats = FormatList<BackupComparison>(
    OutputFormat("text") { $0.text }, OutputFormat("json") { $0.json })

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    try requireOperands(1...1, in: arguments)
    let format = try arguments.format(of: formats)
    let (comparison, folder) = try comparison(arguments)
    if let file = arguments.value(of: record) {
      guard FileKind(at: file, followingLinks: false) == nil else {
        throw CommandError("\(file): something is there; name a new file for the record")
      }
      try Output.write(
        FidelityRecord(comparison, of: folder, kit: ToolVersion.current).json, to: file)
    }
    try Output.print(
      try CommandError.rethrowing { () throws(RunError) in try format.write(comparison) })
    return comparison.isClean ? .success : .failure
  }

  /// Compares what the arguments name.
  private static func comparison(
    _ arguments: Arguments
  ) throws(CommandError) -> (BackupComparison, BackupFolder) {
    guard let app = arguments.value(of: app) else {
      throw CommandError("'\(self.app.name)' is missing: \(self.app.usage)")
    }
    if let problem = BundleIdentifier.problem(with: app) { throw CommandError(problem) }
    let containers = try containers(arguments, of: app)
    let list = try list(of: containers[0], app)
    let tree = try tree(containers, list)
    let domains = containers.map(\.domain)
    do throws(BackupFolderError) {
      let folder = try BackupFolder(at: arguments.operands[0])
      let profile = try profile(arguments, for: folder)
      let contents = try folder.contents(of: domains, app: app)
      guard contents.domains.contains(domains[0]) else {
        throw BackupFolderError(
          folder.path,
          "there is nothing of '\(app.shown)' in this backup; name an app that is in it")
      }
      var comparison = BackupComparison(
        contents, with: tree, domains: domains,
        known: Set(containers.filter { $0.url != nil }.map(\.domain)), on: profile)
      if let list {
        comparison.remarks.append(
          "the app's container is as \(ContainerList.place) says, written on iOS \(list.contents.system.shown)"
        )
      }
      return (comparison, folder)
    } catch {
      throw CommandError(error.description)
    }
  }

  /// The list that the app has written of its container; nil where there is none.
  private static func list(
    of container: Container, _ app: String
  ) throws(CommandError) -> (file: String, contents: ContainerList)? {
    guard let url = container.url else { return nil }
    let file =
      FileKind(at: url.path, followingLinks: true) == .file
      ? url.path : url.appendingPathComponent(ContainerList.place.string).path
    guard FileKind(at: file, followingLinks: false) != nil else { return nil }
    let list = try ContainerListFile.read(file)
    guard list.bundleIdentifier == app else {
      throw CommandError(
        "\(file): this is of '\(list.bundleIdentifier.shown)', not of '\(app.shown)'")
    }
    return (file, list)
  }

  /// A container that is compared.
  private struct Container {
    /// Its domain.
    let domain: BackupDomain
    /// Where it is; nil where nobody has said it.
    let url: URL?
  }

  /// The containers that are named, the app's own first.
  private static func containers(
    _ arguments: Arguments, of app: String
  ) throws(CommandError) -> [Container] {
    var containers = [
      Container(
        domain: BackupDomain(nil, of: app),
        url: try arguments.value(of: container).map { path throws(CommandError) in
          FileKind(at: path, followingLinks: true) == .file
            ? URL(fileURLWithPath: path.hasPrefix("~") ? "./\(path)" : path) : try folder(path)
        })
    ]
    for option in [group, appExtension] {
      for words in arguments.allValues(of: option) {
        let parts = words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let identifier = String(parts[0])
        let problem =
          option.name == group.name
          ? ContainerIdentifier.problem(withGroup: identifier)
          : ContainerIdentifier.problem(withExtension: identifier, of: app)
        if let problem { throw CommandError("\(option.name): \(problem)") }
        let domain = BackupDomain(ContainerPath.Component(containerOf: identifier), of: app)
        guard !containers.contains(where: { $0.domain == domain }) else {
          throw CommandError("\(option.name): '\(identifier)' is named twice")
        }
        let url = parts.count > 1 ? try folder(String(parts[1])) : nil
        containers.append(Container(domain: domain, url: url))
      }
    }
    return containers
  }

  /// The directory of a container that is named.
  private static func folder(_ path: String) throws(CommandError) -> URL {
    do throws(FakeContainerError) {
      return URL(fileURLWithPath: try FoundContainer.directory(of: path), isDirectory: true)
    } catch {
      throw CommandError(error.description)
    }
  }

  /// The containers that are on disk, or as the app's list says, as one tree.
  private static func tree(
    _ containers: [Container], _ list: (file: String, contents: ContainerList)?
  ) throws(CommandError) -> FileTree {
    var tree = FileTree()
    if let list {
      tree = try ContainerListFile.naming(list.file) { () throws(ContainerList.Mistake) in
        try list.contents.tree()
      }
    }
    for container in containers where list == nil || container.domain.container != nil {
      guard let url = container.url else { continue }
      do throws(FakeContainerError) {
        let identifier = container.domain.container?.containerIdentifier
        let found = try FoundContainer(at: url.path, of: identifier).tree
        for entry in found.children.entries {
          tree.insert(entry.item, at: ContainerPath(entry.name))
        }
      } catch {
        throw CommandError(error.description)
      }
    }
    return tree
  }

  /// The version of iOS that is named, or that the folder names.
  private static func profile(
    _ arguments: Arguments, for folder: BackupFolder
  ) throws(BackupFolderError) -> SystemProfile {
    if let word = arguments.value(of: system) {
      if let profile = SystemProfile.named(word) { return profile }
      throw BackupFolderError(system.name, SystemProfile.objection(to: word))
    }
    if let profile = folder.profile { return profile }
    throw BackupFolderError(
      folder.path, "it does not say which iOS it is of; name that by '\(system.name)'")
  }
}
