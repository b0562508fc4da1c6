#if os(macOS) || os(Linux)
import BackupTesting
import Testing

@testable import BackupScenarios

/// An app of which it is known what exploration has to find, with the scenario that it is tried by.
struct SeededApp: Sendable, CustomTestStringConvertible {
  /// What exploration has to find.
  struct Mistake: Sendable {
    let rule: String
    /// The item, with `{uuid}` for a random part of its name; nil for none.
    let path: String?

    /// Whether it is what was found.
    func isShown(by finding: Scenario.Finding) -> Bool {
      finding.rule == rule && finding.severity == .error
        && finding.path.map { NameForm.withoutRandomParts("\($0)") } == path
    }
  }

  let app: any AppUnderTest.Type
  /// What the app promises of its files, as a scenario file has it.
  let files: String
  /// The steps, as a scenario file has them.
  let steps: [String]
  /// What has to be found; nil for an app that is right.
  var mistake: Mistake?
  /// The file of which the kit cannot tell in a run whether its start keeps the contents; nil for none.
  var fileInDoubt: String?

  func story() async throws -> AppStory {
    try await AppStory(app, steps, head: "files: { \(files) },")
  }

  /// The scenario that a text tells.
  func story(_ text: String) async throws -> AppStory { try await AppStory(app, text: text) }

  /// A counterexample without what the system does beside the scenario's own steps.
  func withoutAct(_ text: String) -> String {
    let lines = text.split(separator: "\n").filter { line in
      let isAct = Self.acts.contains { line.contains("{ \($0): ") }
      return !isAct || steps.contains { line.contains($0.replacing("'", with: "\"")) }
    }
    return lines.joined(separator: "\n").replacing(/, (killed|storageFull): \{[^}]*\}/, with: "")
  }

  /// What the system does in steps of its own.
  private static let acts = ["relaunch", "purge", "updateApp", "updateSystem", "restore"]

  var testDescription: String { "\(app)" }

  /// An app that is wrong, but not where the system does only what its scenario says.
  private static func wrong(
    _ app: any AppUnderTest.Type, _ files: String, _ steps: [String], _ rule: String,
    _ path: String?
  ) -> SeededApp {
    SeededApp(app: app, files: files, steps: steps, mistake: Mistake(rule: rule, path: path))
  }

  /// An app that is right.
  private static func right(
    _ app: any AppUnderTest.Type, _ files: String, _ steps: [String], inDoubt file: String? = nil
  ) -> SeededApp {
    SeededApp(app: app, files: files, steps: steps, fileInDoubt: file)
  }

  /// A step with an action, and what it is told.
  private static func perform(_ name: String, _ arguments: String = "") -> String {
    arguments.isEmpty ? "{ perform: '\(name)' }" : "{ perform: '\(name)', with: { \(arguments) } }"
  }

  private static let (own, offline) = ("'**': 'critical'", "'**': 'offline'")
  /// Two downloads by an action.
  private static func downloads(by action: String) -> [String] {
    (1...2).map { perform(action, "id: '\($0)'") }
  }
  /// Two saves of a diary.
  private static let saves = [
    perform("save", "text: 'A year of days'"), perform("save", "text: 'A year of days, and today'"),
  ]

  /// Two lines that are added to a list.
  private static let lines = [perform("add", "line: 'milk'"), perform("add", "line: 'bread'")]

  /// A migration at a start that no action causes.
  private static let startOfUpdate = [
    perform("write"), "{ updateApp: '2.0' }", "{ relaunch: {} }", "{ backup: 'b' }",
  ]

  /// Apps that lose what the user made.
  private static let losing: [SeededApp] = [
    wrong(
      HalfCopyingApp.self, own, [perform("write"), "{ updateApp: '2.0' }", perform("read")],
      "user-data-lost", "Documents/Notes/1.txt"),
    wrong(
      RetryingMoveApp.self, own, [perform("write"), perform("move")], "user-data-lost",
      "Documents/Notes/1.txt"),
    wrong(
      EmptyingApp.self, "'Documents/**': 'critical', '**': 'cached'", [perform("save")],
      "user-data-lost", "Documents/note.txt"),
    wrong(
      BeginningAgainApp.self, "'Documents/**': 'critical', '**': 'cached'", lines,
      "user-data-lost", "Documents/list.txt"),
    wrong(
      PackingApp.self, own, [perform("write"), perform("pack")], "user-data-lost",
      "Documents/diary.txt"),
    wrong(
      UnnoticedFullApp.self, own, [perform("write"), perform("rename")], "user-data-lost",
      "Documents/note.txt"),
    wrong(
      DroppingJournalApp.self, own,
      [perform("add", "text: 'apples'"), perform("add", "text: 'pears'")], "user-data-lost",
      "Documents/journal"),
    wrong(
      RewrittenTableApp.self, own, [perform("save", "count: 5"), perform("save", "count: 6")],
      "user-data-lost", "Documents/weights.csv"),
    wrong(
      PurgedAndFullApp.self, "'Documents/**': 'critical', '**': 'cached'", lines, "user-data-lost",
      "Documents/list.txt"),
    wrong(ResettingApp.self, own, lines, "user-data-lost", "Documents/notes.txt"),
    wrong(CountingRecordsApp.self, own, lines, "user-data-lost", "Documents/records"),
    wrong(
      FlagFirstApp.self, own, [perform("write"), "{ updateApp: '2.0' }", perform("read")],
      "user-data-lost", "Documents/old.txt"),
    wrong(
      FlagFirstApp.self, own, startOfUpdate, "user-data-lost", "Documents/old.txt"),
    wrong(
      OverwritingApp.self, own, [perform("draw", "color: 1"), perform("draw", "color: 2")],
      "user-data-lost", "Documents/drawing"),
    wrong(
      BinaryRecordsApp.self, own, [perform("add"), perform("add")], "user-data-lost",
      "Documents/runs.db"),
    wrong(
      ConvertingFirstVersionApp.self, own,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")], "user-data-lost",
      "Documents/notes.plist"),
    wrong(
      SealingFirstVersionApp.self, own,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")], "user-data-lost",
      "Documents/verse.txt"),
    wrong(
      FlaggedMigrationApp.self, own,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")], "user-data-lost",
      "Documents/list"),
    wrong(
      RetitlingApp.self, own, [perform("save"), perform("rename")], "user-data-lost",
      "Documents/Lake.json"),
    wrong(
      RenamingBySavingApp.self, own, [perform("save"), perform("rename")], "user-data-lost",
      "Documents/note.txt"),
  ]

  /// Apps that keep it, in ways that look like those.
  private static let keeping: [SeededApp] = [
    right(
      SwappingApp.self, own, [perform("save", "text: 'old'"), perform("save", "text: 'new'")]),
    right(RotatingLogApp.self, own, (1...3).map { perform("travel", "day: \($0)") }),
    right(
      RenamedCopyApp.self, own, [perform("write"), "{ updateApp: '2.0' }", perform("read")]),
    right(RenamedCopyApp.self, own, startOfUpdate),
    right(ShortenedRecordsApp.self, own, [perform("add"), perform("add")]),
    right(
      ConvertingThenRemovingApp.self, own,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")]),
    right(
      EncodingThenRemovingApp.self, own,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")], inDoubt: "Documents/verse.txt"),
    right(
      TakingBackApp.self, own,
      ["milk", "bread", "salt", "apples"].map { perform("add", "line: '\($0)'") }),
    right(
      MovedToDefaultsApp.self, own,
      [perform("write"), "{ updateApp: '2.0' }", perform("read")]),
    right(RetitledFirstApp.self, own, [perform("save"), perform("rename")]),
    right(
      MergingJournalApp.self, own,
      [
        perform("add", "line: 'Lake=blue'"), "{ relaunch: {} }",
        perform("add", "line: 'Lake=grey'"), "{ relaunch: {} }",
      ], inDoubt: "Documents/journal"),
    right(
      CopyingFolderApp.self, own, [perform("write"), perform("archive"), "{ backup: 'night' }"]),
    right(SettingAsideApp.self, "'Documents/**': 'critical', '**': 'cached'", lines),
  ]

  static let wrong: [SeededApp] =
    losing + [
      wrong(
        FolderApp.self, offline, downloads(by: "once"), "recreatable-data-backed-up",
        "Library/Application Support/Movies/1.mp4"),
      wrong(
        DoneWhenThereApp.self, "'tmp/**': 'temporary', '**': 'offline'", [perform("download")],
        "recreatable-data-backed-up",
        "Library/Application Support/movie.mp4"),
      wrong(
        DoneBeforeDataApp.self, own, [perform("makeLibrary")], "exists-before-use",
        "Documents/library.json"),
      wrong(
        RemovedFirstApp.self, "'tmp/**': 'temporary', '**': 'critical'", saves, "user-data-lost",
        "Documents/diary.txt"),
      wrong(WrittenInPlaceApp.self, own, saves, "user-data-lost", "Documents/diary.txt"),
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
        StagedInDocumentsApp.self, offline, [perform("download")], "recreatable-data-backed-up",
        "Documents/{uuid}.part"),
      wrong(
        BlindReadApp.self, "'**': 'cached'", [perform("makeThumbnail"), perform("show")],
        "exists-before-use", "Library/Caches/Thumbnails/movie.jpg"),
      wrong(
        IndexFirstApp.self, own, [perform("add", "name: 'a'"), perform("openAll")],
        "exists-before-use", "Documents/a.txt"),
      wrong(
        RemovedBeforeIndexApp.self, own,
        [perform("add", "name: 'a'"), perform("delete", "name: 'a'"), perform("openAll")],
        "step-failed", nil),
      wrong(
        AbsolutePathApp.self, own, [perform("import"), perform("open")], "stale-container-path",
        "Documents/book.epub"),
      wrong(
        SetUpOnceApp.self, "'Documents/**': 'critical', 'Library/**': 'offline'",
        downloads(by: "download"),
        "exists-before-use", "Library/Application Support/Movies"),
    ]

  static let right: [SeededApp] =
    keeping + [
      right(FolderApp.self, offline, downloads(by: "always")),
      right(MarkedInTmpApp.self, "'tmp/**': 'temporary', '**': 'offline'", [perform("download")]),
      right(SweepingApp.self, offline, [perform("download")]),
      right(AtomicDiaryApp.self, own, saves),
      right(LookingReadApp.self, "'**': 'cached'", [perform("show"), perform("show")]),
      right(
        MarkedDatabaseApp.self, offline,
        [perform("index", "word: 'alps'"), perform("index", "word: 'andes'")]),
      right(
        UserDatabaseApp.self, own,
        [
          perform("addToJournal", "word: 'today'"), perform("addToJournal", "word: 'tomorrow'"),
          perform("addToLog", "word: 'today'"), perform("addToLog", "word: 'tomorrow'"),
        ]),
      right(DeletingApp.self, own, [perform("save"), perform("delete"), perform("save")]),
      right(
        TrashingApp.self, "'Documents/**': 'critical', '**': 'cached'",
        [perform("write"), perform("delete")]),
      right(IndexLastApp.self, own, [perform("add", "name: 'a'"), perform("openAll")]),
      right(PlayingApp.self, own, [perform("import"), perform("play")]),
      right(
        JournalApp.self, own, [perform("add", "line: 'today'"), perform("add", "line: 'tomorrow'")]),
      right(
        RefusingApp.self, "'Documents/**': 'critical', '**': 'cached'",
        [perform("add", "name: 'a'")]),
      right(
        LengtheningApp.self, own, [perform("draw"), "{ updateApp: '2.0' }", perform("look")],
        inDoubt: "Documents/drawing.bin"),
      right(
        MarkedWhenSavedApp.self, offline, [perform("download"), perform("download")]),
    ]
}
#endif
