#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupExploration
@testable import BackupRules
@testable import BackupScenarios

/// Exploration reports no error for changes that an app makes at each launch or on purpose.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
struct HabitTests {
  private static func add(_ text: String) -> String {
    "{ perform: 'add', with: { text: '\(text)' } }"
  }

  @Test(arguments: [
    (SummingApp.self as any AppUnderTest.Type, ["{ relaunch: {} }"]), (CompactingApp.self, []),
  ])
  func `exploration warns once if each launch saves the user's data in another form`(
    app: any AppUnderTest.Type, start: [String]
  ) async throws {
    let story = try await AppStory(
      app, [Self.add("apples"), Self.add("pears")] + start,
      head: "files: { 'Documents/**': 'critical' },")
    let run = try await story.run()
    #expect(run.failure == nil)
    #expect(run.findings.allSatisfy { $0.severity == .warning }, "\(run.findings)")
    #expect(run.findings.isEmpty == start.isEmpty)
    let result = await story.explored()
    #expect(result.obstacle == nil && !result.hasError, "\(result.text)")
    #expect(result.counterexamples.count == (start.isEmpty ? 1 : 0), "\(result.text)")
    #expect(result.counts.crashPoints > 0)
  }

  @Test func `a scenario is not explored if an expected finding does not occur`() async throws {
    let story = try await AppStory(
      PrivateApp.self, ["{ perform: 'write' }", "{ backup: 'b' }"],
      head: "files: { 'Documents/**': 'critical' }, "
        + "expect: [{ rule: 'user-data-excluded' }, { rule: 'user-data-lost' }],")
    let obstacle = try #require(await story.explored().obstacle)
    #expect(obstacle.contains("expected the finding user-data-lost, but it did not occur"))
  }

  @Test func `exploration omits expected findings, and reports other findings`()
    async throws
  {
    let head = """
      files: { 'Documents/**': 'critical' }, expect: [{ rule: 'user-data-excluded' }],
      explore: { from: 2, reason: 'the mistake' },
      """
    let wrong = try await AppStory(
      PrivateApp.self, ["{ perform: 'write' }", "{ perform: 'move' }", "{ backup: 'b' }"],
      head: head)
    let found = await wrong.explored()
    let example = try #require(found.counterexamples.first, "\(found.text)")
    #expect(
      found.counterexamples.allSatisfy { $0.finding.rule == "user-data-lost" }, "\(found.text)")
    let shown = try await AppStory(PrivateApp.self, text: example.text).run()
    #expect(shown.findings.contains { $0.rule == example.finding.rule }, "\(example.text)")
  }
}

/// An app whose launch adds the lengths of the notes to a sum, and removes the notes.
enum SummingApp: AppUnderTest {
  private struct Total: Codable {
    var sum = 0
    var added: [String] = []
  }

  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    let file = documents.file("total.json")
    var total = Total()
    if file.isThere {
      total = try JSONDecoder().decode(Total.self, from: try Data(contentsOf: file))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: documents.path)
      .filter { $0.hasSuffix(".note") }.sorted()
    for name in names where !total.added.contains(name) {
      let note = try Data(contentsOf: documents.file(name))
      total.sum += note.count
      total.added.append(name)
    }
    guard !names.isEmpty else { return }
    try JSONEncoder().encode(total).write(to: file, options: .atomic)
    for name in names { try FileManager.default.removeItem(at: documents.file(name)) }
  }

  static let actions: AppActions = [
    "add": { action in
      let text = try action.argument("text", as: String.self)
      try Data("a note of many \(text)".utf8)
        .write(to: action.container.documents.file("\(text.count).note"), options: .atomic)
    }
  ]
}

/// An app that appends texts to a journal. Each launch keeps only the last text.
enum CompactingApp: AppUnderTest {
  private static func lines(of journal: URL) throws -> [Substring] {
    String(decoding: try Data(contentsOf: journal), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  static func launch(_ launch: AppLaunch) async throws {
    let journal = launch.container.documents.file("journal")
    guard journal.isThere else { return }
    // Without a line break after it, the last line is incomplete.
    let completeLines = try lines(of: journal).dropLast()
    try Data((completeLines.last.map { $0 + "\n" } ?? "").utf8).write(to: journal, options: .atomic)
  }

  static let actions: AppActions = [
    "add": { action in
      let journal = action.container.documents.file("journal")
      let text = try action.argument("text", as: String.self)
      if !journal.isThere { try Data().write(to: journal, options: .atomic) }
      let handle = try FileHandle(forWritingTo: journal)
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("the fruit of today: \(text)\n".utf8))
      try handle.close()
    }
  ]
}

/// An app that marks its note on purpose. Its action `move` removes the note before it saves a
/// copy.
enum PrivateApp: AppUnderTest {
  static let actions: AppActions = [
    "write": { action in
      let note = action.container.documents.file("note.txt")
      try Data("a swim across the lake".utf8).write(to: note, options: .atomic)
      try note.excludeFromBackup()
    },
    "move": { action in
      let note = action.container.documents.file("note.txt")
      guard note.isThere else { return }
      let text = try Data(contentsOf: note)
      try FileManager.default.removeItem(at: note)
      let moved = action.container.documents.file("lake.txt")
      try text.write(to: moved, options: .atomic)
      try moved.excludeFromBackup()
    },
  ]
}
#endif
