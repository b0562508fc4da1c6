import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupScenarios
import BackupVerdicts
import Foundation

extension Option {
  static let scenarios = Option(
    "--scenarios", value: "FOLDER",
    "the scenario folder; default is \(ScenarioFolder.usualName)")
}

// Scenario files are found by what people call them: a folder, a file, or an id.
extension ScenarioFolder {
  /// The folder of a name, or the one that holds what is named, reduced to that; and whether it is
  /// a whole one.
  static func found(
    named name: String, in defaultFolder: String = usualName
  ) throws(RunError) -> (folder: ScenarioFolder, isWhole: Bool) {
    guard let kind = FileKind(at: name, followingLinks: true) else {
      let number = errno
      guard !MachineFault.isOne(number) else {
        throw RunError(
          .unreadable, "\(name): this cannot be examined: \(MachineFault.words(for: number))")
      }
      return (try scenario(id: name, in: defaultFolder), false)
    }
    let path = tidied(name)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let above = kind == .folder ? parts : parts.dropLast()
    let whole = above.indices.last { isWhole(above[...$0].joined(separator: "/")) }
    let end = whole.map { $0 + 1 } ?? above.count
    let abovePath = above[..<end].joined(separator: "/")
    let root = end == 0 ? "." : abovePath.isEmpty ? "/" : abovePath
    if kind == .folder {
      let folder = try ScenarioFolder(path: root)
      guard end < parts.count else { return (folder, true) }
      return (folder.selecting { $0.path.hasPrefix("\(path)/") }, false)
    }
    let file = end == 0 ? "./\(path)" : path
    if let found = ScenarioFolder(file: file, in: root) { return (found, false) }
    try requireScenario(name)
    throw RunError(
      .unreadable, "\(name): this is not a scenario file; expected a file that ends in .json5")
  }

  /// Reads the one scenario of an id or path; an id that is a path too is an id.
  static func scenario(
    named name: String, in defaultFolder: String?
  ) throws(CommandError) -> Scenario {
    let place = defaultFolder ?? usualName
    let isThere = FileManager.default.fileExists(atPath: place)
    let folder = try CommandError.rethrowing { () throws(RunError) in
      if isThere, let found = try ScenarioFolder(path: place).selecting(name) { return found }
      return try found(named: name, in: place).folder
    }
    guard folder.files.count == 1 else {
      throw CommandError(
        "\(name): the folder contains \(folder.files.count) scenarios; name one of them")
    }
    do throws(RunError) {
      return try folder.scenarios()[0]
    } catch {
      throw CommandError(error.diagnostics)
    }
  }

  /// The folder with just the scenario of an id.
  private static func scenario(id: String, in path: String) throws(RunError) -> ScenarioFolder {
    guard path != id, FileManager.default.fileExists(atPath: path) else {
      return try ScenarioFolder(path: id)
    }
    let folder = try ScenarioFolder(path: path)
    if let found = folder.selecting(id) { return found }
    let nearest = NearestWord.to(id, in: folder.files.map(\.id))
    let advice = nearest.map { "did you mean '\($0)'?" } ?? "name a folder, a file or an id"
    throw RunError(
      .noScenario,
      "there is no folder or file '\(id)', and no scenario of that id in \(path); "
        + "\(advice)")
  }

  /// A path without `.` and empty components but the first of an absolute one.
  private static func tidied(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    return path.hasPrefix("/") ? "/\(parts)" : parts.isEmpty ? "." : parts
  }
}
