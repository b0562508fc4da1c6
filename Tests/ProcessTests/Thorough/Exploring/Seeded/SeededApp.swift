#if os(macOS) || os(Linux)
import BackupTesting
import Testing

@testable import BackupScenarios

/// An app with a known mistake, or with none, and the scenario with which exploration tests it.
struct SeededApp: Sendable, CustomTestStringConvertible {
  /// The finding that exploration must report.
  struct Mistake: Sendable {
    let rule: String
    /// The path of the finding, with `{uuid}` for a random part of a name; nil for no path.
    let path: String?

    /// Whether a finding reports this mistake.
    func isShown(by finding: Scenario.Finding) -> Bool {
      finding.rule == rule && finding.severity == .error
        && finding.path.map { NameForm.replacingRandomParts("\($0)") } == path
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
    _ path: String?
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
  /// Two steps that download with an action.
  private static func downloads(by action: String) -> [String] {
    (1...2).map { perform(action, "id: '\($0)'") }
  }
  /// Two steps that save a diary.
  private static let diarySaves = [
    perform("save", "text: 'A year of days'"), perform("save", "text: 'A year of days, and today'"),
  ]

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
      EmptyingApp.self, "'Documents/**': 'critical', '**': 'cached'", [perform("save")],
      "user-data-lost", "Documents/note.txt"),
    wrong(
      RestartingListApp.self, "'Documents/**': 'critical', '**': 'cached'", addedLines,
      "user-data-lost", "Documents/list.txt"),
    wrong(
      PackingApp.self, allCritical, [perform("write"), perform("pack")], "user-data-lost",
      "Documents/diary.txt"),
    wrong(
      IgnoredFullStorageApp.self, allCritical, [perform("write"), perform("rename")],
      "user-data-lost",
      "Documents/note.txt"),
    wrong(
      DroppingJournalApp.self, allCritical,
      [perform("add", "text: 'apples'"), perform("add", "text: 'pears'")], "user-data-lost",
      "Documents/journal"),
    wrong(
      RewrittenTableApp.self, allCritical,
      [perform("save", "count: 5"), perform("save", "count: 6")],
      "user-data-lost", "Documents/weights.csv"),
    wrong(
      PurgedAndFullApp.self, "'Documents/**': 'critical', '**': 'cached'", addedLines,
      "user-data-lost",
      "Documents/list.txt"),
    wrong(ResettingApp.self, allCritical, addedLines, "user-data-lost", "Documents/notes.txt"),
    wrong(CountingRecordsApp.self, allCritical, addedLines, "user-data-lost", "Documents/records"),
    wrong(
      FlagFirstApp.self, allCritical, [perform("write"), "{ updateApp: '2.0' }", perform("read")],
      "user-data-lost", "Documents/old.txt"),
    wrong(
      FlagFirstApp.self, allCritical, launchAfterUpdate, "user-data-lost", "Documents/old.txt"),
    wrong(
      OverwritingApp.self, allCritical, [perform("draw", "color: 1"), perform("draw", "color: 2")],
      "user-data-lost", "Documents/drawing"),
    wrong(
      BinaryRecordsApp.self, allCritical, [perform("add"), perform("add")], "user-data-lost",
      "Documents/runs.db"),
    wrong(
      ConvertingAfterRemovingApp.self, allCritical,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")], "user-data-lost",
      "Documents/notes.plist"),
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
    wrong(
      RenamingBySavingApp.self, allCritical, [perform("save"), perform("rename")], "user-data-lost",
      "Documents/note.txt"),
  ]

  /// Apps that keep the user's data, with code that resembles that of `losingApps`.
  private static let keepingApps: [SeededApp] = [
    right(
      SwappingApp.self, allCritical,
      [perform("save", "text: 'old'"), perform("save", "text: 'new'")]),
    right(RotatingLogApp.self, allCritical, (1...3).map { perform("travel", "day: \($0)") }),
    right(
      RenamedCopyApp.self, allCritical, [perform("write"), "{ updateApp: '2.0' }", perform("read")]),
    right(RenamedCopyApp.self, allCritical, launchAfterUpdate),
    right(ShortenedRecordsApp.self, allCritical, [perform("add"), perform("add")]),
    right(
      ConvertingThenRemovingApp.self, allCritical,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")]),
    right(
      EncodingThenRemovingApp.self, allCritical,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")], inDoubt: "Documents/verse.txt"),
    right(
      UnlistingApp.self, allCritical,
      ["milk", "bread", "salt", "apples"].map { perform("add", "line: '\($0)'") }),
    right(
      MovedToDefaultsApp.self, allCritical,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")]),
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
    right(SettingAsideApp.self, "'Documents/**': 'critical', '**': 'cached'", addedLines),
  ]

  static let wrong: [SeededApp] =
    losingApps + [
      wrong(
        FolderApp.self, allOffline, downloads(by: "once"), "recreatable-data-backed-up",
        "Library/Application Support/Movies/1.mp4"),
      wrong(
        MarkedAfterMoveApp.self, "'tmp/**': 'temporary', '**': 'offline'", [perform("download")],
        "recreatable-data-backed-up",
        "Library/Application Support/movie.mp4"),
      wrong(
        FlagBeforeDataApp.self, allCritical, [perform("makeLibrary")], "exists-before-use",
        "Documents/library.json"),
      wrong(
        RemovedFirstApp.self, "'tmp/**': 'temporary', '**': 'critical'", diarySaves,
        "user-data-lost",
        "Documents/diary.txt"),
      wrong(
        WrittenInPlaceApp.self, allCritical, diarySaves, "user-data-lost", "Documents/diary.txt"),
      wrong(
        MarkedIfNewerApp.self, "'Library/Caches/**': 'cached', 'Library/**': 'offline'",
        [perform("refresh", "etag: 'a'"), perform("refresh", "etag: 'a'")],
        "recreatable-data-backed-up", "Library/Application Support/feed.json"),
      wrong(
        ExportedOnceApp.self, "'Documents/**': 'critical', 'Library/**': 'offline'",
        [perform("export")], "user-data-excluded", "Documents/movie.mp4"),
      wrong(
        MigratingApp.self, "'Library/Caches/**': 'cached', 'Library/**': 'offline'",
        [perform("download"), "{ updateApp: '2.0' }", perform("watch")],
        "recreatable-data-backed-up", "Library/Application Support/Movies/movie.mp4"),
      wrong(
        StagedInDocumentsApp.self, allOffline, [perform("download")], "recreatable-data-backed-up",
        "Documents/{uuid}.part"),
      wrong(
        BlindReadApp.self, "'**': 'cached'", [perform("makeThumbnail"), perform("show")],
        "exists-before-use", "Library/Caches/Thumbnails/movie.jpg"),
      wrong(
        IndexFirstApp.self, allCritical, [perform("add", "name: 'a'"), perform("openAll")],
        "exists-before-use", "Documents/a.txt"),
      wrong(
        RemovedBeforeIndexApp.self, allCritical,
        [perform("add", "name: 'a'"), perform("delete", "name: 'a'"), perform("openAll")],
        "step-failed", nil),
      wrong(
        AbsolutePathApp.self, allCritical, [perform("import"), perform("open")],
        "stale-container-path",
        "Documents/book.epub"),
      wrong(
        SetUpOnceApp.self, "'Documents/**': 'critical', 'Library/**': 'offline'",
        downloads(by: "download"),
        "exists-before-use", "Library/Application Support/Movies"),
    ]

  static let right: [SeededApp] =
    keepingApps + [
      right(FolderApp.self, allOffline, downloads(by: "always")),
      right(MarkedInTmpApp.self, "'tmp/**': 'temporary', '**': 'offline'", [perform("download")]),
      right(SweepingApp.self, allOffline, [perform("download")]),
      right(AtomicDiaryApp.self, allCritical, diarySaves),
      right(LookingReadApp.self, "'**': 'cached'", [perform("show"), perform("show")]),
      right(
        MarkedDatabaseApp.self, allOffline,
        [perform("index", "word: 'alps'"), perform("index", "word: 'andes'")]),
      right(
        UserDatabaseApp.self, allCritical,
        [
          perform("addToJournal", "word: 'today'"), perform("addToJournal", "word: 'tomorrow'"),
          perform("addToLog", "word: 'today'"), perform("addToLog", "word: 'tomorrow'"),
        ]),
      right(DeletingApp.self, allCritical, [perform("save"), perform("delete"), perform("save")]),
      right(
        TrashingApp.self, "'Documents/**': 'critical', '**': 'cached'",
        [perform("write"), perform("delete")]),
      right(IndexLastApp.self, allCritical, [perform("add", "name: 'a'"), perform("openAll")]),
      right(PlayingApp.self, allCritical, [perform("import"), perform("play")]),
      right(
        JournalApp.self, allCritical,
        [perform("add", "line: 'today'"), perform("add", "line: 'tomorrow'")]),
      right(
        RefusingApp.self, "'Documents/**': 'critical', '**': 'cached'",
        [perform("add", "name: 'a'")]),
      right(
        LengtheningApp.self, allCritical,
        [perform("draw"), "{ updateApp: '2.0' }", perform("look")],
        inDoubt: "Documents/drawing.bin"),
      right(
        MarkedWhenSavedApp.self, allOffline, [perform("download"), perform("download")]),
    ]
}
#endif
