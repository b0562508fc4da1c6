import BackupContainer
package import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupScenarios
import Foundation

/// A folder of scenario files, or one file.
package struct ScenarioFolder: Sendable {
  package struct File: Hashable, Sendable {
    /// The path of the file. It begins with the folder's path as the user wrote it.
    package let path: String
    /// The path of the file below the folder, without the extension.
    package let id: String
  }

  package let path: String
  package let files: [File]

  /// The environment variable that selects the scenarios that tests run, by an id or a pattern.
  package static let filterVariable = "BACKUP_TESTING_FILTER"
  /// The name of the folder in which the kit looks for scenarios if the user names no folder.
  package static let usualName = Scenario.usualFolder

  private static let extensions = [".json5", ".jsonc", ".json"]

  /// Finds the scenario files in a folder and its subfolders, except hidden files and folders.
  ///
  /// Throws an error if a link leads to a folder or has the name of a scenario file, or if two
  /// files have the same id.
  package init(path: String) throws(RunError) {
    let trimmedPath = path.withoutEndingSlash
    self.path = trimmedPath
    var (files, appFiles): ([File], [String]) = ([], [])
    try Self.find(in: trimmedPath, below: "", depth: 0, &files, &appFiles)
    // Check an `app.json5` that no scenario uses. The user may have meant it as a scenario.
    for file in appFiles {
      let folder = file.dropLast(AppFile.name.count)
      guard !files.contains(where: { $0.path.hasPrefix(folder) }) else { continue }
      _ = try AppFile.classes(in: file)
    }
    self.files = files.sorted { $0.id < $1.id }
    // Files with the same id would share a golden file. Some file systems ignore case.
    let groups = Dictionary(grouping: files) { $0.id.lowercased() }
    let conflicts = groups.values.filter { $0.count > 1 }.map { $0.map(\.path).sorted() }
    guard let paths = conflicts.min(by: { $0[0] < $1[0] }) else { return }
    throw RunError(
      .sharedGoldenFile,
      "\(paths.joined(separator: " and ")) would share a golden file; rename all but one")
  }

  /// Creates a folder with only one of its files; nil if the file is no scenario.
  ///
  /// Does not read the folder.
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

  /// Returns the folder with only the file that has a path or an id; nil if there is no such file.
  package func selecting(_ name: String) -> ScenarioFolder? {
    let selectedFiles = files.filter { $0.path == name || $0.id == name }
    return selectedFiles.isEmpty ? nil : ScenarioFolder(path: path, files: selectedFiles)
  }

  package func selecting(where isSelected: (File) -> Bool) -> ScenarioFolder {
    ScenarioFolder(path: path, files: files.filter(isSelected))
  }

  /// Returns the folder with the files whose ids match a glob.
  ///
  /// `*` matches within a component, `**` matches any number of components, and `?` matches one
  /// character.
  package func selecting(glob: String) throws(RunError) -> ScenarioFolder {
    let pattern = try RunError.addingSubject("the filter") { () throws(RunError) in
      try PathPattern(glob)
    }
    var selectedFiles: [File] = []
    for file in files {
      let path = try RunError.addingSubject("\(file.path): for a filter, the path below the folder")
      {
        () throws(RunError) in try ContainerPath(file.id)
      }
      if pattern.matches(path) { selectedFiles.append(file) }
    }
    return ScenarioFolder(path: path, files: selectedFiles)
  }

  /// Returns the scenarios of all files, or throws the mistakes in all files.
  package func scenarios() throws(RunError) -> [Scenario] {
    let (scenarios, mistakenFiles) = read()
    guard mistakenFiles.isEmpty else { throw RunError(mistakenFiles.flatMap(\.mistakes)) }
    return scenarios
  }

  /// Reads all files, and returns the scenarios and the files with mistakes.
  package func read() -> (scenarios: [Scenario], mistaken: [FileWithMistakes]) {
    var scenarios: [Scenario] = []
    var mistakenFiles: [FileWithMistakes] = []
    var classesOfAppFiles: [String: Result<FilePromises?, RunError>] = [:]
    for file in files {
      do throws(RunError) {
        let scenario = try Scenario(aloneAt: file.path, id: file.id)
        guard let appFile = try AppFile.nearest(to: file.path, id: file.id) else {
          scenarios.append(scenario)
          continue
        }
        let cachedClasses = classesOfAppFiles[appFile]
        let sharedClasses =
          cachedClasses ?? Result { () throws(RunError) in try AppFile.classes(in: appFile) }
        classesOfAppFiles[appFile] = sharedClasses
        guard let sharedClasses = try sharedClasses.get() else {
          scenarios.append(scenario)
          continue
        }
        scenarios.append(try scenario.adding(sharedPromises: sharedClasses))
      } catch {
        // Report the mistakes of an app file once, not again for each scenario.
        let path = error.diagnostics.first?.file ?? file.path
        guard !mistakenFiles.contains(where: { $0.file.path == path }) else { continue }
        let prefix = self.path == "/" ? "/" : "\(self.path)/"
        let isBelowFolder = path.hasPrefix(prefix)
        let id =
          path == file.path
          ? file.id : String(isBelowFolder ? path.dropFirst(prefix.count) : path[...])
        mistakenFiles.append(
          FileWithMistakes(file: File(path: path, id: id), mistakes: error.diagnostics))
      }
    }
    return (scenarios, mistakenFiles)
  }

  /// The paths of the `app.json5` files whose classes apply to these scenarios.
  package var appFiles: Set<String> {
    Set(files.compactMap { try? AppFile.nearest(to: $0.path, id: $0.id) })
  }

  /// Throws an error if an item has the name of a scenario file, but is not a regular file.
  ///
  /// A link is an error too, because the kit follows no links when it looks for scenarios.
  package static func requireRegularScenarioFile(_ path: String) throws(RunError) {
    guard suffix(of: path) != nil, let kind = FileKind(at: path, followingLinks: false),
      kind != .file
    else { return }
    let advice =
      kind == .link ? "name the file that it leads to" : "move it to another folder, or rename it"
    throw RunError(
      .unreadable, "\(path): this is \(kind.inWords), but a scenario must be a file; \(advice)")
  }

  /// Throws an error if the name of a file is only similar to the name of ``AppFile``, as
  /// `App.JSON5` is.
  private static func requireExactAppFileName(_ path: String) throws(RunError) {
    guard !path.hasSuffix("/\(AppFile.name)") else { return }
    throw RunError(
      .unreadable,
      "\(path): a scenario cannot have this name, because \(AppFile.name) gives the classes of the "
        + "app's files in all scenarios; rename it")
  }

  /// Adds the scenario files and the `app.json5` files in a folder and its subfolders.
  ///
  /// `prefix` is the folder's path below the scenario folder, with a slash at the end.
  private static func find(
    in folder: String, below prefix: String, depth: Int, _ files: inout [File],
    _ appFiles: inout [String]
  ) throws(RunError) {
    for name in try names(in: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      switch FileKind(at: path, followingLinks: false) {
      case let kind? where kind != .folder && AppFile.isReserved(name):
        try requireExactAppFileName(path)
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
        try requireRegularScenarioFile(path)
        guard FileKind(at: path, followingLinks: true) == .folder else { continue }
        throw RunError(
          .unreadable,
          "\(path): this is a link to a folder, whose scenarios are not read; put the folder itself in "
            + "its place, or name it instead")
      case .pipe, .socket, .device: try requireRegularScenarioFile(path)
      case nil:
        let errorNumber = errno
        let reason =
          errorNumber == ENOENT
          ? "; make sure that its name is UTF-8" : ": \(MachineFault.words(for: errorNumber))"
        throw RunError(.unreadable, "\(path): this cannot be examined\(reason)")
      }
    }
  }

  /// Returns the extension of a scenario file's name or path; nil for any other file.
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

  /// Returns true if a folder has the usual name of a scenario folder, or has a golden folder
  /// beside it.
  ///
  /// Returns false for a path that ends in a slash.
  package static func isScenarioFolder(_ path: String) -> Bool {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard !name.isEmpty else { return false }
    if name == usualName { return true }
    let goldens = GoldenStore(besideScenarios: path)
    return FileManager.default.fileExists(atPath: goldens.folder)
  }
}

/// A file that cannot be read as a scenario, with its mistakes in the order of its lines.
package struct FileWithMistakes: Sendable {
  package let file: ScenarioFolder.File
  package let mistakes: [ScenarioDiagnostic]
}
