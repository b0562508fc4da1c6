import BackupContainer
import BackupDiagnostics
import BackupFileTree
import Foundation

/// An existing container, or a backup of one, that a run copies.
struct CapturedContainer {
  /// The items in the container, in the form that the kit's containers have.
  var tree: FileTree
  let contents: ContainerArchive
  let name: String

  /// Creates a container from a folder, with the marks in a list.
  init(_ start: Scenario.Start, of scenario: Scenario) throws(StepFailure) {
    let folder = try scenario.url(of: start.container, .folder)
    let found = try failingStep(try FoundContainer(at: folder.path))
    self.tree = found.tree
    self.contents = ContainerArchive(of: tree, in: found.url)
    self.name = start.container
    let listed = tree.remove(ContainerList.place)
    for place in ContainerList.places { tree.remove(place) }
    if let marks = start.marks {
      try mark(by: try scenario.url(of: marks, .file), of: scenario)
    } else if let listed {
      guard listed.size != nil else {
        throw failure(
          "'\(ContainerList.place)' is not a file, so it cannot be the list of the container's "
            + "items")
      }
      try mark(
        by: found.url.appendingPathComponent(ContainerList.place.string), of: scenario)
    } else if !tree.hasMarks {
      throw failure(
        "no item in it has a mark, and a copy may have lost marks; list the items on the device "
          + "with ContainerProbe (see 'backup-testing probe-source --help'), and name the list in "
          + "'marks'; if no item was marked, the first line of the list is enough")
    }
    try requireHarmless()
  }

  /// Creates a container from the data of an app in a backup folder of the Finder.
  init(
    _ folder: Scenario.BackupPlace, _ names: [ContainerPath.Component?], for scenario: Scenario,
    by reader: BackupReader
  ) throws(StepFailure) {
    let url = try scenario.url(of: folder.path, .folder)
    let app = folder.app ?? scenario.app.bundleIdentifier
    let restorable = try failingStep(try reader.read(url, app, names))
    self.tree = restorable.tree
    self.contents = ContainerArchive(restorable.files)
    self.name = folder.path
    try requireHarmless()
  }

  /// Sets the marks in a list, and creates the listed directories that a copy may have lost.
  private mutating func mark(by file: URL, of scenario: Scenario) throws(StepFailure) {
    let list: ContainerList
    let listed: FileTree
    do throws(ContainerList.FileError) {
      list = try ContainerList(at: file.path, followingLinks: false)
      listed = try list.tree(of: file.path)
    } catch {
      throw StepFailure(error.description, .notAllowed)
    }
    guard list.bundleIdentifier == scenario.app.bundleIdentifier else {
      throw failure(
        "\(file.path) is a list of '\(list.bundleIdentifier.shown)', but the scenario's app is "
          + "'\(scenario.app.bundleIdentifier)'; name a list of that app")
    }
    listed.forEachItem { path, item in
      if item.isDirectory, tree[path] == nil { tree.ensureDirectory(path) }
    }
    let outcome = list.mark(tree)
    if let first = outcome.missingMarked.first {
      throw failure(
        "the list marks '\(first)', which is not in the container; write the list and copy the "
          + "container at the same time")
    }
    tree = outcome.tree
  }

  /// Refuses items that cannot be copied, and links that lead out of the container. Leaves out pipes
  /// and sockets, such as Realm's pipe, as backups do.
  private mutating func requireHarmless() throws(StepFailure) {
    for path in tree.paths(from: nil) where tree[path]?.kind == .special { tree.remove(path) }
    try tree.walk { path, item throws(StepFailure) in
      switch item.kind {
      case .file, .directory, .special: return true
      case .link(let target):
        guard path.isLinkInside(to: target) else {
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

  var size: Int64 { tree.amount.bytes }

  private func failure(_ reason: String) -> StepFailure {
    StepFailure("'\(name.shown)': \(reason)", .notAllowed)
  }
}

extension ContainerPath {
  /// The directories of app containers on a phone, into which a link may lead.
  private static let phonePlaces = ["/var/mobile/Containers/", "/private/var/mobile/Containers/"]

  /// Returns true if a link at this path leads into the same container, or into a container on a
  /// phone.
  fileprivate func isLinkInside(to target: [UInt8]) -> Bool {
    let parts = target.split(separator: Self.separator).map { String(decoding: $0, as: UTF8.self) }
    if target.first == Self.separator {
      let text = String(decoding: target, as: UTF8.self)
      return Self.phonePlaces.contains(where: text.hasPrefix) && !parts.contains("..")
    }
    // A name may be another link, so a `..` after it may lead anywhere.
    let relative = parts.filter { $0 != "." }
    let parentCount = relative.prefix { $0 == ".." }.count
    guard !relative.dropFirst(parentCount).contains("..") else { return false }
    return parentCount <= ancestors.count - (containerName == nil ? 0 : 1)
  }
}

extension Scenario {
  /// Returns the URL of a file or folder that the scenario names beside its steps. The path begins
  /// at the folder that contains the scenario folder, never leads out of it, and passes no link.
  func url(of name: String, _ kind: FileKind) throws(StepFailure) -> URL {
    let base = surroundings
    var url = base
    for component in name.split(separator: "/") {
      url.appendPathComponent(String(component))
      switch try self.kind(at: url) {
      case nil:
        throw StepFailure(
          "there is no '\(name.shown)' in \(base.path), the folder that contains the scenario "
            + "folder",
          .notAllowed)
      case .link:
        throw StepFailure(
          "'\(name.shown)' leads through the link \(url.path), and links are not followed here; "
            + "name the link's destination, or copy it into this place", .notAllowed)
      default: continue
      }
    }
    guard try self.kind(at: url) == kind else {
      throw StepFailure("\(url.path): expected \(kind.inWords)", .notAllowed)
    }
    return url
  }

  private func kind(at url: URL) throws(StepFailure) -> FileKind? {
    do throws(RegularFile.AccessError) {
      return try FileKind.found(at: url.path, followingLinks: false)
    } catch {
      let isMachineFault = error.errorNumber.map(MachineFault.isOne) ?? false
      throw StepFailure(
        "\(url.path): this cannot be examined: \(error.reason)",
        isMachineFault ? .machineFault : .notAllowed)
    }
  }

  /// The folder that contains the scenario folder.
  var surroundings: URL {
    URL(fileURLWithPath: folder.isEmpty ? "." : folder).standardizedFileURL
      .deletingLastPathComponent()
  }
}

extension Form where Value == String {
  /// Returns the form of a path in the folder that contains the scenario folder.
  static func besideScenarios(_ what: String) -> Form {
    let expected = "the path of \(what), relative to the folder that contains the scenario folder"
    let advice =
      "write a path relative to the folder that contains the scenario folder, such as 'Fixtures/v1'"
    return Form<ContainerPath>.relativePath(expected, advice: advice).map { path, _ in path.string }
  }
}

extension Form where Value == Scenario.Start {
  /// A captured container: `{ container: "Fixtures/v1", marks: "Fixtures/v1.list" }`.
  static var start: Form {
    let container = Field(
      "container", .besideScenarios("a container's folder"), default: .required,
      "A container in Xcode's Simulator, an .xcappdata bundle, or a copy of either. The path is "
        + "relative to the folder that contains the scenario folder.", examples: ["Fixtures/v1"])
    let marks = Field(
      "marks", .besideScenarios("a list of a container's items"),
      default: .inWords("Documents/container.list in the container"),
      "A file that lists the container's items and their marks.",
      examples: ["Fixtures/v1.list"])
    return .object("{ container: \"Fixtures/v1\" }", [container, marks]) { object in
      guard let path = object[container], !object.isMistaken(marks) else { return nil }
      return Scenario.Start(
        container: path, marks: object[marks], position: object.reader.position)
    }
  }
}
