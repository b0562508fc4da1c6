import BackupContainer
import BackupDiagnostics
import BackupFileTree
import Foundation

/// A container that a run copies: one that existed before the test, or one in a Finder backup.
struct CapturedContainer {
  var tree: FileTree
  let contents: ContainerArchive
  /// The path in the scenario file, for messages.
  let pathInScenario: String

  /// Reads the container in the folder that `start` names. If a list of its items exists, the list
  /// says which items have a mark.
  init(_ start: Scenario.Start, of scenario: Scenario) throws(StepFailure) {
    let folder = try scenario.url(of: start.container, .folder)
    let foundContainer = try failingStepOnError(try FoundContainer(at: folder.path))
    self.tree = foundContainer.tree
    self.contents = ContainerArchive(of: tree, in: foundContainer.url)
    self.pathInScenario = start.container
    let listItem = tree.remove(ContainerList.firstListPath)
    // ContainerProbe wrote these lists, not the app.
    for path in ContainerList.allPaths { tree.remove(path) }
    if let marks = start.marks {
      try applyList(at: try scenario.url(of: marks, .file), of: scenario)
    } else if let listItem {
      guard listItem.size != nil else {
        throw failure(
          "'\(ContainerList.firstListPath)' is not a file, so it cannot be the list of the container's "
            + "items")
      }
      try applyList(
        at: foundContainer.url.appendingPathComponent(ContainerList.firstListPath.string),
        of: scenario)
    } else if !tree.hasMarks {
      throw failure(
        "no item in it has a mark, and a copy may have lost marks; list the items on the device "
          + "with ContainerProbe (see 'backup-testing probe-source --help'), and name the list in "
          + "'marks'; if no item was marked, the first line of the list is enough")
    }
    try prepareForCopying()
  }

  /// Reads an app's containers from a backup folder that the Finder wrote.
  init(
    _ folder: Scenario.BackupFolderReference, _ containerNames: [ContainerPath.Component?],
    for scenario: Scenario,
    by reader: BackupReader
  ) throws(StepFailure) {
    let url = try scenario.url(of: folder.path, .folder)
    let bundleIdentifier = folder.app ?? scenario.app.bundleIdentifier
    let backup = try failingStepOnError(try reader.read(url, bundleIdentifier, containerNames))
    self.tree = backup.tree
    self.contents = ContainerArchive(backup.fileURLs)
    self.pathInScenario = folder.path
    try prepareForCopying()
  }

  /// Sets the marks that a list names. Also adds directories that only the list has, because a copy
  /// may lack them.
  private mutating func applyList(at file: URL, of scenario: Scenario) throws(StepFailure) {
    let list: ContainerList
    let listedTree: FileTree
    do throws(ContainerList.FileError) {
      list = try ContainerList(at: file.path, followingLinks: false)
      listedTree = try list.tree(named: file.path)
    } catch {
      throw StepFailure(error.description, .notAllowed)
    }
    guard list.bundleIdentifier == scenario.app.bundleIdentifier else {
      throw failure(
        "\(file.path) is a list of '\(list.bundleIdentifier.escapedExcerpt)', but the scenario's app is "
          + "'\(scenario.app.bundleIdentifier)'; name a list of that app")
    }
    listedTree.forEachItem { path, item in
      if item.isDirectory, tree[path] == nil { tree.ensureDirectory(path) }
    }
    let markedContainer = list.marking(tree)
    if let firstMissingPath = markedContainer.missingMarkedPaths.first {
      throw failure(
        "the list marks '\(firstMissingPath)', which is not in the container; write the list and copy the "
          + "container at the same time")
    }
    tree = markedContainer.tree
  }

  /// Removes pipes and sockets, such as Realm's pipe, because backups omit them. Throws an error
  /// for an unreadable item, and for a link that leads out of the container.
  private mutating func prepareForCopying() throws(StepFailure) {
    for path in tree.paths(from: nil) where tree[path]?.kind == .special { tree.remove(path) }
    try tree.walk { path, item throws(StepFailure) in
      switch item.kind {
      case .file, .directory, .special: return true
      case .link(let target):
        guard path.mayLink(to: target) else {
          throw failure(
            "the link '\(path)' leads out of the container, to \(EscapedText.escape(target)); "
              + "remove the link from the copy")
        }
        return true
      case .unreadable:
        throw failure("'\(path)' cannot be read")
      }
    }
  }

  var size: Int64 { tree.amount.byteCount }

  private func failure(_ reason: String) -> StepFailure {
    StepFailure("'\(pathInScenario.escapedExcerpt)': \(reason)", .notAllowed)
  }
}

extension ContainerPath {
  /// The directories of app containers on a device. A link may lead into them.
  private static let containerFoldersOnDevice = [
    "/var/mobile/Containers/", "/private/var/mobile/Containers/",
  ]

  /// Returns true if a link at this path may lead to `target`: an item in the same container, or in
  /// a container on a device.
  fileprivate func mayLink(to target: [UInt8]) -> Bool {
    let targetNames = target.split(separator: Self.separator).map {
      String(decoding: $0, as: UTF8.self)
    }
    if target.first == Self.separator {
      let text = String(decoding: target, as: UTF8.self)
      return Self.containerFoldersOnDevice.contains(where: text.hasPrefix)
        && !targetNames.contains("..")
    }
    // In `a/..`, the name `a` may be a link, so the `..` may lead anywhere.
    let names = targetNames.filter { $0 != "." }
    let parentCount = names.prefix { $0 == ".." }.count
    guard !names.dropFirst(parentCount).contains("..") else { return false }
    return parentCount <= ancestors.count - (containerName == nil ? 0 : 1)
  }
}

extension Scenario {
  /// Returns the URL of a file or folder that the scenario file names. The path is relative to the
  /// folder that contains the scenario folder. A link in the path is an error.
  func url(of relativePath: String, _ fileKind: FileKind) throws(StepFailure) -> URL {
    let parentFolder = parentOfScenarioFolder
    var url = parentFolder
    for component in relativePath.split(separator: "/") {
      url.appendPathComponent(String(component))
      switch try self.fileKind(at: url) {
      case nil:
        throw StepFailure(
          "there is no '\(relativePath.escapedExcerpt)' in \(parentFolder.path), the folder that contains the scenario "
            + "folder",
          .notAllowed)
      case .link:
        throw StepFailure(
          "'\(relativePath.escapedExcerpt)' leads through the link \(url.path), and links are not followed here; "
            + "name the link's destination, or copy it into this place", .notAllowed)
      default: continue
      }
    }
    guard try self.fileKind(at: url) == fileKind else {
      throw StepFailure("\(url.path): expected \(fileKind.inWords)", .notAllowed)
    }
    return url
  }

  private func fileKind(at url: URL) throws(StepFailure) -> FileKind? {
    do throws(RegularFile.AccessError) {
      return try FileKind.ofItem(at: url.path, followingLinks: false)
    } catch {
      let isMachineFault = error.errorNumber.map(MachineFault.includes) ?? false
      throw StepFailure(
        "\(url.path): this cannot be examined: \(error.reason)",
        isMachineFault ? .machineFault : .notAllowed)
    }
  }

  /// The folder that contains the scenario folder.
  var parentOfScenarioFolder: URL {
    URL(fileURLWithPath: scenarioFolder.isEmpty ? "." : scenarioFolder).standardizedFileURL
      .deletingLastPathComponent()
  }
}

extension Form where Value == String {
  /// Returns the form of a path relative to the folder that contains the scenario folder. Messages
  /// call the file or folder at the path `name`.
  static func pathBesideScenarios(_ name: String) -> Form {
    let expected = "the path of \(name), relative to the folder that contains the scenario folder"
    let advice =
      "write a path relative to the folder that contains the scenario folder, such as 'Fixtures/v1'"
    return Form<ContainerPath>.relativePath(expected, advice: advice).map { path, _ in path.string }
  }
}

extension Form where Value == Scenario.Start {
  /// A captured container: `{ container: "Fixtures/v1", marks: "Fixtures/v1.list" }`.
  static var start: Form {
    let container = Field(
      "container", .pathBesideScenarios("a container's folder"), default: .required,
      "A container in Xcode's Simulator, an .xcappdata bundle, or a copy of either. The path is "
        + "relative to the folder that contains the scenario folder.", examples: ["Fixtures/v1"])
    let marks = Field(
      "marks", .pathBesideScenarios("a list of a container's items"),
      default: .inWords("Documents/container.list in the container"),
      "A file that lists the container's items and their marks.",
      examples: ["Fixtures/v1.list"])
    return .object("{ container: \"Fixtures/v1\" }", [container, marks]) { object in
      guard let path = object[container], !object.isInvalid(marks) else { return nil }
      return Scenario.Start(
        container: path, marks: object[marks], position: object.reader.position)
    }
  }
}
