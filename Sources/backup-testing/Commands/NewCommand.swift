import BackupContainer
import BackupRules
import BackupScenarios
import BackupVerdicts
import Foundation

extension Command {
  static let new = Command(
    name: "new",
    operands: "ID", operandCounts: 1...1,
    summary: "Writes a commented scenario file to start with.",
    discussion: """
      ID is the path below the scenario folder without the extension, such as
      marks/movie-saved-twice. An existing scenario is never overwritten.
      """,
    options: [.scenarios]
  ) { arguments in
    let id = arguments.operands[0]
    try requireValid(id)
    let folder = arguments.value(of: .scenarios) ?? ScenarioFolder.usualName
    try requireNew(id, in: folder)
    let path = "\(folder)/\(id).json5"
    let file = TextFile(path: path)
    let template = try AppFile.nearest(to: path, id: id).map(template) ?? scenarioTemplate
    try file.makeFolder()
    try file.writeNew(template)
    try Output.print(
      """
      wrote \(path)
      Next: change its steps to what your app does, then

        swift run backup-testing run \(path)

      If a step performs the app's own code, use 'swift test' instead. The first run records what the system does in \(GoldenStore(besideScenarios: folder)
        .path(of: id)). Check that file, and commit both.

      """)
    return .success
  }

  private static func requireValid(_ id: String) throws {
    let advice = "expected letters, digits, '-', '_' and '.', such as marks/movie-saved-twice"
    for suffix in [".json5", ".jsonc", ".json", ".schema"] where id.hasSuffix(suffix) {
      throw CommandError("'\(id)': an id has no extension; remove '\(suffix)'")
    }
    let names = id.split(separator: "/", omittingEmptySubsequences: false)
    for name in names {
      let isPlain = name.allSatisfy { character in
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
      }
      guard isPlain, let first = name.first, first != ".", first != "-", name.count <= 100,
        names.count <= 16
      else { throw CommandError("'\(id)' is not an id; \(advice)") }
    }
    guard !AppFile.isReserved("\(id).json5") else {
      throw CommandError(
        "'\(id)' is not an id, because \(AppFile.name) gives the classes of the app's files in all "
          + "scenarios; choose another id")
    }
  }

  /// Throws an error if the id exists already, or if a folder in its path is a link.
  private static func requireNew(_ id: String, in folder: String) throws {
    var parent = folder
    for name in id.split(separator: "/").dropLast() {
      parent += "/\(name)"
      if try FileKind.ofItem(at: parent, followingLinks: false) == .link {
        throw CommandError(
          "\(parent): this is a link, and scenarios are not read through links; choose another id")
      }
    }
    guard FileManager.default.fileExists(atPath: folder) else { return }
    let files = try ScenarioFolder(path: folder).files
    if let existingFile = files.first(where: { $0.id.lowercased() == id.lowercased() }) {
      throw CommandError(
        "\(existingFile.path) already exists and was not changed; choose another id")
    }
  }

  static let scenarioTemplate = String(
    decoding: PackageResources.NewScenario_json5_txt, as: UTF8.self)

  /// Returns the template for a scenario if an app file already has the classes.
  private static func template(with appFile: String) -> String {
    scenarioTemplate.split(separator: "\n\n").map { paragraph in
      paragraph.contains("\n  files: {")
        ? "  // \(appFile) gives the classes of the app's files. Patterns in a scenario come first:\n"
          + "  // files: { \"Documents/Samples/**\": \"support\" },"
        : String(paragraph)
    }.joined(separator: "\n\n")
  }
}
