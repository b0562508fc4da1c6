#if os(macOS) || os(Linux)
import BackupTesting
import Testing

@testable import BackupScenarios

/// An app with a known mistake, or with none, and the scenario with which exploration tests it.
struct SeededApp: Sendable, CustomTestStringConvertible {
  /// The finding that exploration must report.
  struct Mistake: Sendable {
    let rule: String
    /// The path of the finding.
    let path: String

    /// Whether a finding reports this mistake.
    func isShown(by finding: Scenario.Finding) -> Bool {
      finding.rule == rule && finding.severity == .error
        && finding.path.map { "\($0)" } == path
    }
  }

  let app: any AppUnderTest.Type
  /// The contents of the scenario's key `files`, which declares the classes of files.
  let files: String
  /// The steps in the notation of a scenario file.
  let steps: [String]
  /// The app's mistake; nil for a right app.
  var mistake: Mistake?
  /// A run warns about this file, because the kit cannot tell whether a launch keeps its contents.
  /// Nil if there is no warning.
  var fileWithWarning: String?

  func story() async throws -> AppStory {
    try await AppStory(app, steps, head: "files: { \(files) },")
  }

  /// The app with another scenario, from the text of a scenario file.
  func story(_ text: String) async throws -> AppStory { try await AppStory(app, text: text) }

  /// Removes the events that exploration injected from the text of a counterexample.
  func withoutSystemSteps(_ text: String) -> String {
    let lines = text.split(separator: "\n").filter { line in
      let isSystemStep = Self.systemKeywords.contains { line.contains("{ \($0): ") }
      return !isSystemStep || steps.contains { line.contains($0.replacing("'", with: "\"")) }
    }
    return lines.joined(separator: "\n").replacing(/, (killed|storageFull): \{[^}]*\}/, with: "")
  }

  /// The keywords of steps that launch the app, or stand for an event of iOS.
  private static let systemKeywords = ["relaunch", "purge", "updateApp", "updateSystem", "restore"]

  var testDescription: String { "\(app)" }

  /// An app with a mistake that only an injected event shows.
  private static func wrong(
    _ app: any AppUnderTest.Type, _ files: String, _ steps: [String], _ rule: String,
    _ path: String
  ) -> SeededApp {
    SeededApp(app: app, files: files, steps: steps, mistake: Mistake(rule: rule, path: path))
  }

  /// An app without a mistake.
  private static func right(
    _ app: any AppUnderTest.Type, _ files: String, _ steps: [String], inDoubt file: String? = nil
  ) -> SeededApp {
    SeededApp(app: app, files: files, steps: steps, fileWithWarning: file)
  }

  /// A `perform` step with arguments in the notation of a scenario file.
  private static func perform(_ name: String, _ arguments: String = "") -> String {
    arguments.isEmpty ? "{ perform: '\(name)' }" : "{ perform: '\(name)', with: { \(arguments) } }"
  }

  private static let (allCritical, allOffline) = ("'**': 'critical'", "'**': 'offline'")

  /// Two steps that add a line to a list.
  private static let addedLines = [perform("add", "line: 'milk'"), perform("add", "line: 'bread'")]

  /// Steps that launch version 2.0 of the app without an action.
  private static let launchAfterUpdate = [
    perform("write"), "{ updateApp: '2.0' }", "{ relaunch: {} }", "{ backup: 'b' }",
  ]

  /// Apps that lose the user's data.
  private static let losingApps: [SeededApp] = [
    wrong(
      HalfCopyingApp.self, allCritical,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")],
      "user-data-lost", "Documents/Notes/1.txt"),
    wrong(
      RetryingMoveApp.self, allCritical, [perform("write"), perform("move")], "user-data-lost",
      "Documents/Notes/1.txt"),
    wrong(
      RestartingListApp.self, "'Documents/**': 'critical', '**': 'cached'", addedLines,
      "user-data-lost", "Documents/list.txt"),
    wrong(
      RewrittenTableApp.self, allCritical,
      [perform("save", "count: 5"), perform("save", "count: 6")],
      "user-data-lost", "Documents/weights.csv"),
    wrong(
      PackingApp.self, allCritical, [perform("write"), perform("pack")], "user-data-lost",
      "Documents/diary.txt"),
    wrong(
      DroppingJournalApp.self, allCritical,
      [perform("add", "text: 'apples'"), perform("add", "text: 'pears'")], "user-data-lost",
      "Documents/journal"),
    wrong(
      OverwritingApp.self, allCritical, [perform("draw", "color: 1"), perform("draw", "color: 2")],
      "user-data-lost", "Documents/drawing"),
    wrong(
      BinaryRecordsApp.self, allCritical, [perform("add"), perform("add")], "user-data-lost",
      "Documents/runs.db"),
    wrong(
      FlagFirstApp.self, allCritical, launchAfterUpdate, "user-data-lost", "Documents/old.txt"),
    wrong(
      ScramblingAfterRemovingApp.self, allCritical,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")], "user-data-lost",
      "Documents/verse.txt"),
    wrong(
      FlaggedMigrationApp.self, allCritical,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")], "user-data-lost",
      "Documents/list"),
    wrong(
      RetitlingApp.self, allCritical, [perform("save"), perform("rename")], "user-data-lost",
      "Documents/Lake.json"),
  ]

  /// Apps that keep the user's data, with code that resembles that of `losingApps`.
  private static let keepingApps: [SeededApp] = [
    right(
      SwappingApp.self, allCritical,
      [perform("save", "text: 'old'"), perform("save", "text: 'new'")]),
    right(
      UnlistingApp.self, allCritical,
      ["milk", "bread", "salt"].map { perform("add", "line: '\($0)'") }),
    right(RenamedCopyApp.self, allCritical, launchAfterUpdate),
    right(
      ConvertingThenRemovingApp.self, allCritical,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")]),
    right(ShortenedRecordsApp.self, allCritical, [perform("add"), perform("add")]),
    right(RetitledFirstApp.self, allCritical, [perform("save"), perform("rename")]),
    right(
      MergingJournalApp.self, allCritical,
      [
        perform("add", "line: 'Lake=blue'"), "{ relaunch: {} }",
        perform("add", "line: 'Lake=grey'"), "{ relaunch: {} }",
      ], inDoubt: "Documents/journal"),
    right(
      CopyingFolderApp.self, allCritical,
      [perform("write"), perform("archive"), "{ backup: 'night' }"]),
    right(
      MovedToDefaultsApp.self, allCritical,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")]),
    right(SettingAsideApp.self, "'Documents/**': 'critical', '**': 'cached'", addedLines),
  ]

  static let wrong: [SeededApp] =
    losingApps + [
      wrong(
        FlagBeforeDataApp.self, allCritical, [perform("makeLibrary")], "exists-before-use",
        "Documents/library.json"),
      wrong(
        ExportedOnceApp.self, "'Documents/**': 'critical', 'Library/**': 'offline'",
        [perform("export")], "user-data-excluded", "Documents/movie.mp4"),
      wrong(
        SetUpOnceApp.self, "'Documents/**': 'critical', 'Library/**': 'offline'",
        (1...2).map { perform("download", "id: '\($0)'") },
        "exists-before-use", "Library/Application Support/Movies"),
    ]

  static let right: [SeededApp] =
    keepingApps + [
      right(
        MarkedDatabaseApp.self, allOffline,
        [perform("index", "word: 'alps'"), perform("index", "word: 'andes'")]),
      right(
        UserDatabaseApp.self, allCritical,
        [
          perform("addToJournal", "word: 'today'"), perform("addToJournal", "word: 'tomorrow'"),
          perform("addToLog", "word: 'today'"), perform("addToLog", "word: 'tomorrow'"),
        ]),
      right(SweepingApp.self, allOffline, [perform("download")]),
      right(
        TrashingApp.self, "'Documents/**': 'critical', '**': 'cached'",
        [perform("write"), perform("delete")]),
      right(PlayingApp.self, allCritical, [perform("import"), perform("play")]),
      right(
        RefusingApp.self, "'Documents/**': 'critical', '**': 'cached'",
        [perform("add", "name: 'a'")]),
      right(
        JournalApp.self, allCritical,
        [perform("add", "line: 'today'"), perform("add", "line: 'tomorrow'")]),
      right(
        LengtheningApp.self, allCritical,
        [perform("draw"), "{ updateApp: '2.0' }", perform("look")],
        inDoubt: "Documents/drawing.bin"),
    ]
}
#endif
