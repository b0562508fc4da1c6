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
    try file.makeFolder()
    try file.writeNew(scenarioTemplate)
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
  }

  /// Refuses an id that is taken, or that a link leads elsewhere.
  private static func requireNew(_ id: String, in folder: String) throws {
    var place = folder
    for name in id.split(separator: "/").dropLast() {
      place += "/\(name)"
      if (try? FileManager.default.destinationOfSymbolicLink(atPath: place)) != nil {
        throw CommandError(
          "\(place): this is a link, and scenarios are not read through links; choose another id")
      }
    }
    guard FileManager.default.fileExists(atPath: folder) else { return }
    let files = try ScenarioFolder(path: folder).files
    if let taken = files.first(where: { $0.id.lowercased() == id.lowercased() }) {
      throw CommandError("\(taken.path) already exists and was not changed; choose another id")
    }
  }

  static let scenarioTemplate = """
    {
      // What this scenario shows, in a sentence.
      title: "A downloaded movie stays out of the backup, and the user's list is in it",

      // The versions of iOS to run under, and where backups go: a value or a list.
      // By default, the newest version and "iCloud".
      // system: ["5.1", "18"],
      // backups: ["iCloud", "local"],

      // The class of the app's files; the first pattern that matches decides: critical (the user's
      // own), support, offline, cached or temporary (can be created or downloaded again), or secret
      // (must not leave the device).
      files: {
        "Documents/**": "critical",
        "Library/Application Support/Movies/**": "offline",
      },

      // A container to start from, as an earlier version of the app left it; `--allow-backups` reads it.
      // start: { container: "Fixtures/version-1" },

      // What the app and the system do, in order.
      steps: [
        { save: "Documents/watchlist.json", size: "2 KB" },

        // Library/Application Support does not exist in a new container.
        { createDirectory: "Library/Application Support/Movies" },
        { save: "Library/Application Support/Movies/1.mp4", size: "700 MB" },
        { exclude: "Library/Application Support/Movies/1.mp4" },

        { backup: "after the download" },

        // Also: append, include, move, copy, remove, link, read and perform by the app;
        // purge, updateApp, updateSystem, restore, kill and relaunch by the system.
        // A step of the app may have `killed: { before: "mark" }`: the app is killed at that point.
        // A later step may have `mayThrow: true`. `backup-testing explore` kills it at every point.
      ],

      // The findings that must occur, if this scenario shows a mistake. Any other fails the run.
      // expect: [
      //   { rule: "reapply-on-save", step: 4, path: "Library/Application Support/Movies/1.mp4" },
      // ],

      // What `explore` does not inject, and why.
      // explore: { without: ["newDevice"], reason: "the account is signed in again there" },
    }

    """
}
