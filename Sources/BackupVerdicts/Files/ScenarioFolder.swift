import BackupContainer
package import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupScenarios
import Foundation

/// A folder of scenario files, or one file.
package struct ScenarioFolder: Sendable {
  package struct File: Hashable, Sendable {
    /// The path, beginning with the folder as it was named.
    package let path: String
    /// The path below the folder, without the extension.
    package let id: String
  }

  package let path: String
  package let files: [File]

  /// The variable that has tests run the scenarios of one id, or of a pattern, only.
  package static let filterVariable = "BACKUP_TESTING_FILTER"
  /// The name that a scenario folder usually has, which is looked for where none is named.
  package static let usualName = Scenario.usualFolder

  private static let extensions = [".json5", ".jsonc", ".json"]

  /// Finds the scenario files below a folder; hidden items are passed over. A link to a folder or with a
  /// scenario file's name is an error, as are two files with one id.
  package init(path: String) throws(RunError) {
    let trimmed = path.withoutEndingSlash
    self.path = trimmed
    var (files, appFiles): ([File], [String]) = ([], [])
    try Self.find(in: trimmed, below: "", depth: 0, &files, &appFiles)
    // One that no scenario reads may be a scenario with this name.
    for file in appFiles {
      let folder = file.dropLast(AppFile.name.count)
      guard !files.contains(where: { $0.path.hasPrefix(folder) }) else { continue }
      _ = try AppFile.classes(in: file)
    }
    self.files = files.sorted { $0.id < $1.id }
    // They would share a golden file, on a file system that ignores case too.
    let groups = Dictionary(grouping: files) { $0.id.lowercased() }
    let twinGroups = groups.values.filter { $0.count > 1 }.map { $0.map(\.path).sorted() }
    guard let twins = twinGroups.min(by: { $0[0] < $1[0] }) else { return }
    throw RunError(
      .sharedGoldenFile,
      "\(twins.joined(separator: " and ")) would share a golden file; rename all but one")
  }

  /// One file of a folder, without a look at the others; nil where it is no scenario file.
  package init?(file: String, in folder: String) {
    let prefix = folder == "/" ? folder : "\(folder)/"
    guard file.hasPrefix(prefix), let suffix = Self.suffix(of: file), !AppFile.isReserved(file),
      FileKind(at: file, followingLinks: false) == .file
    else { return nil }
    let id = file.dropFirst(prefix.count).dropLast(suffix.count)
    self.init(path: folder, files: [File(path: file, id: String(id))])
  }

  private init(path: String, files: [File]) {
    self.path = path
    self.files = files
  }

  /// The folder with just one file, found by its path or its id; nil if no file has either.
  package func selecting(_ name: String) -> ScenarioFolder? {
    let found = files.filter { $0.path == name || $0.id == name }
    return found.isEmpty ? nil : ScenarioFolder(path: path, files: found)
  }

  package func selecting(where isSelected: (File) -> Bool) -> ScenarioFolder {
    ScenarioFolder(path: path, files: files.filter(isSelected))
  }

  /// The files whose ids a glob matches: `*` within a component, `**` any number, `?` one
  /// character.
  package func selecting(glob: String) throws(RunError) -> ScenarioFolder {
    let pattern = try RunError.naming("the filter") { () throws(RunError) in
      try PathPattern(glob)
    }
    var selected: [File] = []
    for file in files {
      let path = try RunError.naming("\(file.path): for a filter, the path below the folder") {
        () throws(RunError) in try ContainerPath(file.id)
      }
      if pattern.matches(path) { selected.append(file) }
    }
    return ScenarioFolder(path: path, files: selected)
  }

  /// Reads every file, however many mistakes the first ones have.
  package func scenarios() throws(RunError) -> [Scenario] {
    let (scenarios, mistaken) = read()
    guard mistaken.isEmpty else { throw RunError(mistaken.flatMap(\.mistakes)) }
    return scenarios
  }

  package func read() -> (scenarios: [Scenario], mistaken: [MistakenFile]) {
    var scenarios: [Scenario] = []
    var mistaken: [MistakenFile] = []
    var classes: [String: Result<FilePromises?, RunError>] = [:]
    for file in files {
      do throws(RunError) {
        let scenario = try Scenario(aloneAt: file.path, id: file.id)
        guard let appFile = try AppFile.nearest(to: file.path, id: file.id) else {
          scenarios.append(scenario)
          continue
        }
        let known = classes[appFile]
        let shared = known ?? Result { () throws(RunError) in try AppFile.classes(in: appFile) }
        classes[appFile] = shared
        guard let shared = try shared.get() else {
          scenarios.append(scenario)
          continue
        }
        scenarios.append(try scenario.adding(shared: shared))
      } catch {
        // The mistakes of an app file are told once, and not for each scenario.
        let path = error.diagnostics.first?.file ?? file.path
        guard !mistaken.contains(where: { $0.file.path == path }) else { continue }
        let prefix = self.path == "/" ? "/" : "\(self.path)/"
        let isBelow = path.hasPrefix(prefix)
        let id =
          path == file.path ? file.id : String(isBelow ? path.dropFirst(prefix.count) : path[...])
        mistaken.append(
          MistakenFile(file: File(path: path, id: id), mistakes: error.diagnostics))
      }
    }
    return (scenarios, mistaken)
  }

  /// The files that give the classes of the app's files in these scenarios.
  package var appFiles: Set<String> {
    Set(files.compactMap { try? AppFile.nearest(to: $0.path, id: $0.id) })
  }

  /// Refuses a path that is named like a scenario file but is not a file. The error names a link as
  /// such, since no folder's scenarios are read through links.
  package static func requireScenario(_ path: String) throws(RunError) {
    guard suffix(of: path) != nil, let kind = FileKind(at: path, followingLinks: false),
      kind != .file
    else { return }
    let advice =
      kind == .link ? "name the file that it leads to" : "move it to another folder, or rename it"
    throw RunError(
      .unreadable, "\(path): this is \(kind.inWords), but a scenario must be a file; \(advice)")
  }

  /// Refuses a file that a file system or a person may take for ``AppFile``.
  private static func requireAppFile(_ path: String) throws(RunError) {
    guard !path.hasSuffix("/\(AppFile.name)") else { return }
    throw RunError(
      .unreadable,
      "\(path): a scenario cannot have this name, because \(AppFile.name) gives the classes of the "
        + "app's files in all scenarios; rename it")
  }

  private static func find(
    in folder: String, below prefix: String, depth: Int, _ files: inout [File],
    _ appFiles: inout [String]
  ) throws(RunError) {
    for name in try names(in: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      switch FileKind(at: path, followingLinks: false) {
      case let kind? where kind != .folder && AppFile.isReserved(name):
        try requireAppFile(path)
        appFiles.append(path)
      case .folder:
        guard depth < 32 else {
          throw RunError(
            .unreadable,
            "\(path): folders are nested too deeply here; move the scenarios up")
        }
        try find(in: path, below: "\(prefix)\(name)/", depth: depth + 1, &files, &appFiles)
      case .file:
        guard let suffix = suffix(of: name) else { continue }
        files.append(File(path: path, id: prefix + name.dropLast(suffix.count)))
      case .link:
        try requireScenario(path)
        guard FileKind(at: path, followingLinks: true) == .folder else { continue }
        throw RunError(
          .unreadable,
          "\(path): this is a link to a folder, whose scenarios are not read; put the folder itself in "
            + "its place, or name it instead")
      case .pipe, .socket, .device: try requireScenario(path)
      case nil:
        let number = errno
        let reason =
          number == ENOENT
          ? "; make sure that its name is UTF-8" : ": \(MachineFault.words(for: number))"
        throw RunError(.unreadable, "\(path): this cannot be examined\(reason)")
      }
    }
  }

  /// The extension of a name or path, if it is a scenario file's.
  package static func suffix(of name: String) -> String? {
    name.hasSuffix(".schema.json") ? nil : extensions.first(where: name.lowercased().hasSuffix)
  }

  private static func names(in folder: String) throws(RunError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      throw RunError(
        .unreadable, "\(folder): no such folder; name the folder that contains your scenario files")
    } catch {
      throw RunError(
        .unreadable, "\(folder): the folder cannot be read: \(error.reason)")
    }
  }

  /// Whether a folder is known to be a whole one: by its name, or by the golden files beside it;
  /// false for a path that ends in a slash too.
  package static func isWhole(_ path: String) -> Bool {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard !name.isEmpty else { return false }
    if name == usualName { return true }
    let goldens = GoldenStore(besideScenarios: path)
    return FileManager.default.fileExists(atPath: goldens.folder)
  }
}

/// A scenario file that cannot be read as one, with the id that its scenario would have, and what is
/// wrong with it, in the order of the file; an entry of every report.
package struct MistakenFile: Sendable {
  package let file: ScenarioFolder.File
  package let mistakes: [ScenarioDiagnostic]
}
