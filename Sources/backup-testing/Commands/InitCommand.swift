import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupReports
import BackupScenarios
import BackupVerdicts
import Foundation

extension Command {
  static let initialize = Command(
    name: "init",
    operands: "[FOLDER]", operandCounts: 0...1,
    summary: "Adds a first backup test to a package or an Xcode project.",
    discussion: """
      FOLDER contains Package.swift or the Xcode project; the default is the current folder. The
      command shows the files that it would create, and creates them after you agree. It changes no
      existing file, but prints the lines to add to them.
      """,
    options: [tests, app, container, write],
    run: addFirstTest)

  private static let tests = Option(
    "--tests", value: "FOLDER", "the folder of the test target, such as Tests/CinemaTests")
  private static let app = Option(
    "--app", value: "TARGET", "the target with the app's code that saves files")
  private static let container = Option(
    "--from", value: "CONTAINER", "list the folders of a real container in \(AppFile.name)")
  private static let write = Option("--write", "create the files without asking")

  private static func addFirstTest(_ arguments: Arguments) async throws -> ExitStatus {
    let project = try TestedProject(
      at: arguments.operands.first ?? ".", tests: arguments.value(of: tests),
      app: arguments.value(of: app))
    let inspection = try arguments.value(of: container).flatMap(inspection)
    let proposals = try project.newFiles(from: inspection).map { file in
      (file: file, missingLines: try file.missingLines(in: project.folder))
    }
    try Output.print(
      proposals.map { file, lines in file.description(missingLines: lines) }.joined(separator: "\n")
    )
    let newFiles = proposals.filter { $0.missingLines == nil }.map(\.file)
    let nextSteps = try project.hasBackupTests ? "" : " Next:\n\n\(project.nextSteps())"
    guard try newFiles.isEmpty || arguments.has(write) || userAgrees(toCreate: newFiles.count)
    else {
      try Output.print(
        "\nNothing was written. To create the new files, add \(write.name).\(nextSteps)\n")
      return .success
    }
    for file in newFiles { try file.write(in: project.folder) }
    let resultPhrase =
      newFiles.isEmpty ? "All files exist." : "Created \(newFiles.count.counted("file"))."
    try Output.print("\n\(resultPhrase)\(nextSteps)\n")
    return .success
  }

  private static func inspection(of path: String) throws -> Inspection? {
    let foundContainer = try FoundContainer(at: path)
    guard foundContainer.isLikelyContainer else {
      throw CommandError(
        "\(container.name): \(path): Documents, Library and tmp are all missing, so this is not an "
          + "app's container; name the folder that contains them")
    }
    let inspection = SystemProfile.newest.map {
      Inspection(of: [foundContainer], Inspection.Context(named: path.withoutEndingSlash, on: $0))
    }
    if let count = inspection?.tally.unreadableItems.count, count > 0 {
      Output.error("warning: \(count.counted("item")) of \(path) could not be read\n")
    }
    return inspection
  }

  private static func userAgrees(toCreate count: Int) throws -> Bool {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return false }
    try Output.print("\nCreate \(count.counted("file"))? [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }
}

/// A file that `init` proposes to create.
struct NewFile {
  /// The path relative to the project's folder.
  let path: String
  let text: String
  /// The text that is shown instead of the contents, for a long file.
  var summary: String?
  /// True if an existing file also needs these lines.
  var isNeededInExistingFile = false

  /// Returns the lines that an existing file still needs. Returns nil if the file does not exist.
  func missingLines(in folder: String) throws -> [Substring]? {
    let place = try place(in: folder)
    guard FileKind(at: place, followingLinks: false) != nil else { return nil }
    guard isNeededInExistingFile else { return [] }
    let contents = try RegularFile.firstBytes(
      of: "file", at: place, upTo: 1 << 20, followingLinks: false)
    let lines = String(decoding: contents, as: UTF8.self).split(whereSeparator: \.isNewline)
    return text.split(separator: "\n").filter { !lines.contains($0) }
  }

  func write(in folder: String) throws {
    let file = TextFile(path: "\(folder)/\(path)", at: try place(in: folder))
    try file.makeFolder()
    try file.writeNew(text)
  }

  func description(missingLines: [Substring]?) -> String {
    guard let missingLines else {
      let lines =
        summary.map { [$0] }
        ?? text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
          "\($0)".onOneLine
        }
      return "new file \(path)\n" + lines.map { $0.isEmpty ? "  |\n" : "  | \($0)\n" }.joined()
    }
    guard !missingLines.isEmpty else { return "\(path) exists, and stays as it is\n" }
    return "\(path) exists, and stays as it is; add to it:\n"
      + missingLines.map { "  \($0)\n" }.joined()
  }

  private func place(in folder: String) throws -> String {
    do {
      return try TextFile.resolvedPath(of: path, in: folder)
    } catch {
      throw CommandError(
        "\(error.link): this is a link that \(error.reason); replace it by a folder or a file")
    }
  }
}
