import BackupContainer
import BackupScenarios
import Foundation
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `user-data-lost finds` {
  /// Returns the findings if the code `start` runs at each start of the app.
  private func findingLines(
    _ steps: [String], system: String = "newest",
    start: @escaping @Sendable (FakeContainer.Locations) throws -> Void
  ) async throws -> [String] {
    let actions: AppActions = ["start": { try start($0.container) }]
    let head =
      "system: '\(system)', files: { 'Documents/**': 'critical', '**': 'cached' }, "
      + "launch: [{ perform: 'start' }]"
    let transcript = try await Trial.transcript(
      steps, head, runner: ScenarioRunner(actions: actions))
    #expect(transcript.failure == nil)
    return RuleList.findings(in: transcript).map(\.line)
  }

  /// A step that saves a note of the user's.
  private let note = "{ save: 'Documents/note', contents: 'a year of days' }"
  /// Steps after which the app starts on a new device without its caches.
  private let onNewDevice = ["{ backup: 'b' }", "{ restore: 'b' }", "{ relaunch: {} }"]
  private let lossError = ["user-data-lost error launch 1 Documents/note"]
  private let lossWarning = ["user-data-lost warning launch 1 Documents/note"]

  @Test func `a start that empties Documents if an index in Caches is missing`() async throws {
    let steps = [note] + onNewDevice
    let findings = try await findingLines(steps) { container in
      let index = container.caches.appendingPathComponent("index")
      guard !index.exists else { return }
      for item in try FileManager.default.contentsOfDirectory(
        at: container.documents, includingPropertiesForKeys: nil)
      {
        try FileManager.default.removeItem(at: item)
      }
      try Data().write(to: index)
    }
    #expect(findings == lossError)
  }

  @Test(arguments: ["{ purge: 'idle' }", "{ relaunch: {} }", "{ updateSystem: '27' }"])
  func `a start that overwrites a file with less data`(ending: String) async throws {
    let steps = [note, ending, "{ relaunch: {} }"]
    let findings = try await findingLines(steps, system: "26") { container in
      let note = container.documents.appendingPathComponent("note")
      guard note.exists else { return }
      try Data("[]".utf8).write(to: note)
    }
    #expect(findings == lossWarning)
  }

  @Test func `a start that empties the file, also if nothing has happened`() async throws {
    let findings = try await findingLines([note, "{ relaunch: {} }"]) { container in
      let note = container.documents.file("note")
      if note.exists { try Data().write(to: note) }
    }
    #expect(findings == lossError)
  }

  @Test func `a start on a new device that keeps only some of the values`() async throws {
    let list = #"{ save: 'Documents/note', contents: '{"version":1,"notes":["Lake"]}' }"#
    let findings = try await findingLines([list] + onNewDevice) { container in
      let (note, index) = (container.documents.file("note"), container.caches.file("index"))
      guard note.exists, !index.exists else { return }
      try Data(#"{"version":1,"notes":[]}"#.utf8).write(to: note)
      try Data("1".utf8).write(to: index)
    }
    #expect(findings == lossError)
  }

  @Test func `two files that a start resets because they disagree after a kill`() async throws {
    let steps = [
      "{ save: 'Documents/a', contents: 'version 1' }",
      "{ save: 'Documents/b', contents: 'version 1' }",
      "{ save: 'Documents/a', contents: 'version 2' }",
      "{ save: 'Documents/b', contents: 'version 2', killed: { before: 'rename' } }",
      "{ relaunch: {} }",
    ]
    let findings = try await findingLines(steps) { container in
      let (a, b) = (container.documents.file("a"), container.documents.file("b"))
      guard a.exists, b.exists, try Data(contentsOf: a) != Data(contentsOf: b) else { return }
      for file in [a, b] { try Data("[]".utf8).write(to: file) }
    }
    // Both files had the same contents, so one finding is enough.
    #expect(findings == ["user-data-lost error launch 1 Documents/a"])
  }

  @Test func `nothing if a kill damages one of two copies that are written in turn`() async throws {
    let kill = "how: 'inPlace', killed: { before: 'write' }"
    let steps = [
      #"{ save: 'Documents/a', contents: '{"state":1,"notes":["Lake"]}' }"#,
      #"{ save: 'Documents/b', contents: '{"state":2,"notes":["Lake","Hill"]}' }"#,
      #"{ save: 'Documents/a', contents: '{"state":3,"notes":["Lake"]}', \#(kill) }"#,
      "{ relaunch: {} }",
    ]
    #expect(try await findingLines(steps) { _ in } == [])
  }

  /// Steps in which the app is killed while it copies two files.
  private let killedCopy = [
    "{ createDirectory: 'Documents/Old' }", "{ save: 'Documents/Old/1', contents: 'one' }",
    "{ save: 'Documents/Old/2', contents: 'two' }",
    "{ copy: 'Documents/Old', to: 'Documents/New', "
      + "killed: { before: 'create', path: 'Documents/New/2' } }",
  ]

  @Test func `a start that treats an incomplete copy as complete, and removes the original`()
    async throws
  {
    let findings = try await findingLines(killedCopy + ["{ relaunch: {} }"]) { container in
      let documents = container.documents
      guard documents.file("New").exists, documents.file("Old").exists else { return }
      try FileManager.default.removeItem(at: documents.file("Old"))
    }
    #expect(findings == ["user-data-lost error launch 1 Documents/Old/2"])
  }

  @Test func `a repeated activity that removes the original of an incomplete copy`() async throws {
    let repeatedActivity = [
      "{ copy: 'Documents/Old', to: 'Documents/New', mayThrow: true }",
      "{ remove: 'Documents/Old' }",
    ]
    #expect(
      try await findingLines(killedCopy + repeatedActivity + ["{ backup: 'b' }"]) { _ in }
        == ["user-data-lost error 6 Documents/Old/2"])
    // A later step deletes the files in any case.
    #expect(
      try await findingLines(
        killedCopy + ["{ remove: 'Documents/Old' }", "{ remove: 'Documents/New' }"]
      ) { _ in } == [])
  }

  @Test(arguments: [
    "{ remove: 'Documents/note' }", "{ save: 'Documents/note', contents: 'less' }",
    "{ move: 'Documents/note', to: 'Documents/other' }",
  ])
  func `nothing that a step removes or overwrites`(step: String) async throws {
    let findings = try await findingLines([note, "{ purge: 'idle' }", step, "{ relaunch: {} }"]) {
      _ in
    }
    #expect(findings == [])
  }

  @Test func `nothing that was saved again before iOS acts`() async throws {
    func findingLines(_ contents: String) async throws -> [String] {
      let saveAgain = "{ save: 'Documents/note', contents: '\(contents)' }"
      return try await self.findingLines([note, "{ purge: 'idle' }", saveAgain, "{ backup: 'b' }"])
      {
        try? FileManager.default.removeItem(at: $0.documents.file("note"))
      }
    }
    #expect(try await findingLines("a year of days") == [])
    #expect(try await findingLines("another year") == lossError)
  }

  @Test func `nothing that a start moves elsewhere, or copies and then removes`() async throws {
    let findings = try await findingLines([note] + onNewDevice) { container in
      let (old, new) = (container.documents.file("note"), container.documents.file("moved"))
      guard old.exists else { return }
      try? FileManager.default.removeItem(at: new)
      try FileManager.default.copyItem(at: old, to: new)
      try FileManager.default.removeItem(at: old)
    }
    #expect(findings == [])
  }

  @Test func `a file that a start moves to a purgeable place`()
    async throws
  {
    let findings = try await findingLines([note, "{ relaunch: {} }"]) { container in
      let old = container.documents.file("note")
      guard old.exists else { return }
      try FileManager.default.moveItem(at: old, to: container.temporary.file("note"))
    }
    #expect(findings == lossError)
  }

  @Test func `nothing that a start merges into another file`() async throws {
    let steps = [
      "{ save: 'Documents/list', contents: 'one' }",
      "{ save: 'Documents/pending', contents: 'two' }",
      "{ purge: 'idle' }", "{ relaunch: {} }",
    ]
    let findings = try await findingLines(steps) { container in
      let (list, pending) = (container.documents.file("list"), container.documents.file("pending"))
      guard pending.exists, list.exists else { return }
      try (Data(contentsOf: list) + Data(contentsOf: pending)).write(to: list, options: .atomic)
      try FileManager.default.removeItem(at: pending)
    }
    #expect(findings == [])
  }

  @Test func `a possible loss if the first start of a version converts a file to a new format`()
    async throws
  {
    let steps = [note, "{ updateApp: '2' }", "{ relaunch: {} }"]
    let findings = try await findingLines(steps) { container in
      let (old, new) = (container.documents.file("note"), container.documents.file("note2"))
      guard old.exists else { return }
      try Data("days".utf8).write(to: new)
      try FileManager.default.removeItem(at: old)
    }
    #expect(findings == lossWarning)
  }

  @Test func `a possible loss if the first start of a version removes a file and writes another`()
    async throws
  {
    let steps = [note, "{ updateApp: '2' }", "{ relaunch: {} }"]
    let findings = try await findingLines(steps) { container in
      let note = container.documents.file("note")
      guard note.exists else { return }
      try Data("2".utf8).write(to: container.documents.file("version"))
      try FileManager.default.removeItem(at: note)
    }
    #expect(findings == lossWarning)
  }

  @Test func `nothing that a start has written itself`() async throws {
    let steps = [note, "{ purge: 'idle' }", "{ relaunch: {} }", "{ relaunch: {} }"]
    let findings = try await findingLines(steps) { container in
      let count = container.documents.file("starts")
      if count.exists {
        try FileManager.default.removeItem(at: count)
      } else {
        try Data("a start".utf8).write(to: count)
      }
    }
    #expect(findings == [])
  }

  @Test func `nothing if a start completes the interrupted removal`() async throws {
    let steps = [
      note, "{ save: 'Documents/trash', contents: 'note' }",
      "{ remove: 'Documents/note', killed: { before: 'remove' } }", "{ relaunch: {} }",
    ]
    let findings = try await findingLines(steps) { container in
      let documents = container.documents
      guard documents.file("trash").exists else { return }
      try? FileManager.default.removeItem(at: documents.file("note"))
    }
    #expect(findings == [])
  }

  @Test(arguments: [
    ("a.sqlite", 13, true), ("a.db", 1024, true), ("a.realm.db", 4096, true), ("a.db", 1025, false),
    ("records", 1024, false),
  ])
  func `nothing in a database that a library rewrites in place, in whole pages`(
    name: String, size: Int, isDatabase: Bool
  ) async throws {
    let steps = ["{ save: 'Documents/\(name)', size: \(size) }", "{ relaunch: {} }"]
    let findings = try await findingLines(steps) { container in
      let database = container.documents.file(name)
      if database.exists { try Data([7]).write(to: database) }
    }
    #expect(findings == (isDatabase ? [] : ["user-data-lost warning launch 1 Documents/\(name)"]))
  }

  @Test(arguments: ["lake=grey water", "lake=grey\nwater", "grey lake, grey water"])
  func `nothing that a start moves into a document that keeps its size`(text: String) async throws {
    let document = try JSONEncoder().encode([text, "a hill"])
    let steps = [
      "{ save: 'Documents/pending', contents: \(String(reflecting: text)) }", "{ relaunch: {} }",
      "{ relaunch: {} }",
    ]
    let findings = try await findingLines(steps) { container in
      let pending = container.documents.file("pending")
      let list = container.documents.file("list.json")
      // The list already has the size of the later document.
      guard pending.exists else { return try Data(count: document.count).write(to: list) }
      try document.write(to: list)
      try FileManager.default.removeItem(at: pending)
    }
    #expect(findings == [])
  }

  @Test func `nothing that a start puts into a file of another class`() async throws {
    let findings = try await findingLines([note, "{ updateApp: '2' }", "{ relaunch: {} }"]) {
      container in
      let note = container.documents.file("note")
      guard note.exists else { return }
      let support = container.applicationSupport
      try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
      let notes = [String(decoding: try Data(contentsOf: note), as: UTF8.self), "more"]
      try JSONEncoder().encode(notes).write(to: support.file("all.json"))
      try FileManager.default.removeItem(at: note)
    }
    #expect(!findings.contains { $0.hasPrefix("user-data-lost") }, "\(findings)")
  }

  @Test(arguments: ["{ relaunch: {} }", "{ updateApp: '2' }"])
  func `a file that a start removes, although it writes another text of the same length`(
    ending: String
  ) async throws {
    let findings = try await findingLines([note, ending, "{ relaunch: {} }"]) { container in
      let note = container.documents.file("note")
      guard note.exists else { return }
      try Data("welcome to this app".utf8).write(to: container.documents.file("welcome"))
      try FileManager.default.removeItem(at: note)
    }
    #expect(findings == lossWarning)
  }

  @Test(arguments: [(".dat.nosync1a2b.c3d4e5", false), ("dat.nosync", true)])
  func `nothing if a start removes the remnant of a killed save`(
    name: String, isFound: Bool
  ) async throws {
    let save = "{ save: 'Documents/\(name)', contents: 'half of a year' }"
    let findings = try await findingLines([save, "{ relaunch: {} }"]) { container in
      try? FileManager.default.removeItem(at: container.documents.file(name))
    }
    #expect(findings.isEmpty != isFound)
  }

  @Test func `a directory that a start removes, with advice on intended deletions`() async throws {
    let actions: AppActions = [
      "start": { try? FileManager.default.removeItem(at: $0.container.documents.file("Bin")) }
    ]
    let transcript = try await Trial.transcript(
      [
        "{ createDirectory: 'Documents/Bin' }",
        "{ save: 'Documents/Bin/note', contents: 'a year of days' }", "{ relaunch: {} }",
      ],
      "files: { 'Documents/**': 'critical' }, launch: [{ perform: 'start' }]",
      runner: ScenarioRunner(actions: actions))
    let finding = try #require(RuleList.findings(in: transcript).first)
    #expect(finding.rule == "user-data-lost")
    #expect(finding.advice.contains("as in a bin"))
  }
}

extension URL {
  fileprivate var exists: Bool { FileManager.default.fileExists(atPath: path) }

  fileprivate func file(_ name: String) -> URL { appendingPathComponent(name) }
}
