import BackupContainer
import BackupScenarios
import Foundation
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `user-data-lost finds` {
  /// What is found where the app does something at each of its starts.
  private func verdicts(
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

  /// A note of the user's.
  private let note = "{ save: 'Documents/note', contents: 'a year of days' }"
  /// An end of the app by which it starts again, and loses its caches.
  private let onNewDevice = ["{ backup: 'b' }", "{ restore: 'b' }", "{ relaunch: {} }"]
  private let found = ["user-data-lost error launch 1 Documents/note"]
  private let inDoubt = ["user-data-lost warning launch 1 Documents/note"]

  @Test func `a start that empties Documents where it lacks its index`() async throws {
    let steps = [note] + onNewDevice
    let findings = try await verdicts(steps) { container in
      let index = container.caches.appendingPathComponent("index")
      guard !index.isThere else { return }
      for item in try FileManager.default.contentsOfDirectory(
        at: container.documents, includingPropertiesForKeys: nil)
      {
        try FileManager.default.removeItem(at: item)
      }
      try Data().write(to: index)
    }
    #expect(findings == found)
  }

  @Test(arguments: ["{ purge: 'idle' }", "{ relaunch: {} }", "{ updateSystem: '27' }"])
  func `a start that begins again with less than there was`(ending: String) async throws {
    let steps = [note, ending, "{ relaunch: {} }"]
    let findings = try await verdicts(steps, system: "26") { container in
      let note = container.documents.appendingPathComponent("note")
      guard note.isThere else { return }
      try Data("[]".utf8).write(to: note)
    }
    #expect(findings == inDoubt)
  }

  @Test func `a start that empties the file, also if nothing has happened`() async throws {
    let findings = try await verdicts([note, "{ relaunch: {} }"]) { container in
      let note = container.documents.file("note")
      if note.isThere { try Data().write(to: note) }
    }
    #expect(findings == found)
  }

  @Test func `a start on a restored device that keeps half of the words`() async throws {
    let list = #"{ save: 'Documents/note', contents: '{"version":1,"notes":["Lake"]}' }"#
    let findings = try await verdicts([list] + onNewDevice) { container in
      let (note, index) = (container.documents.file("note"), container.caches.file("index"))
      guard note.isThere, !index.isThere else { return }
      try Data(#"{"version":1,"notes":[]}"#.utf8).write(to: note)
      try Data("1".utf8).write(to: index)
    }
    #expect(findings == found)
  }

  @Test func `two files that disagree after a kill, both reset`() async throws {
    let steps = [
      "{ save: 'Documents/a', contents: 'version 1' }",
      "{ save: 'Documents/b', contents: 'version 1' }",
      "{ save: 'Documents/a', contents: 'version 2' }",
      "{ save: 'Documents/b', contents: 'version 2', killed: { before: 'rename' } }",
      "{ relaunch: {} }",
    ]
    let findings = try await verdicts(steps) { container in
      let (a, b) = (container.documents.file("a"), container.documents.file("b"))
      guard a.isThere, b.isThere, try Data(contentsOf: a) != Data(contentsOf: b) else { return }
      for file in [a, b] { try Data("[]".utf8).write(to: file) }
    }
    // The two had the same contents.
    #expect(findings == ["user-data-lost error launch 1 Documents/a"])
  }

  @Test func `one of two copies that are written in turn`() async throws {
    let kill = "how: 'inPlace', killed: { before: 'write' }"
    let steps = [
      #"{ save: 'Documents/a', contents: '{"state":1,"notes":["Lake"]}' }"#,
      #"{ save: 'Documents/b', contents: '{"state":2,"notes":["Lake","Hill"]}' }"#,
      #"{ save: 'Documents/a', contents: '{"state":3,"notes":["Lake"]}', \#(kill) }"#,
      "{ relaunch: {} }",
    ]
    #expect(try await verdicts(steps) { _ in } == [])
  }

  /// A copy of two files in which the app is killed.
  private let killedCopy = [
    "{ createDirectory: 'Documents/Old' }", "{ save: 'Documents/Old/1', contents: 'one' }",
    "{ save: 'Documents/Old/2', contents: 'two' }",
    "{ copy: 'Documents/Old', to: 'Documents/New', "
      + "killed: { before: 'create', path: 'Documents/New/2' } }",
  ]

  @Test func `a start that takes half a copy for the whole, and removes the original`() async throws
  {
    let findings = try await verdicts(killedCopy + ["{ relaunch: {} }"]) { container in
      let documents = container.documents
      guard documents.file("New").isThere, documents.file("Old").isThere else { return }
      try FileManager.default.removeItem(at: documents.file("Old"))
    }
    #expect(findings == ["user-data-lost error launch 1 Documents/Old/2"])
  }

  @Test func `an activity done again that does so`() async throws {
    let again = [
      "{ copy: 'Documents/Old', to: 'Documents/New', mayThrow: true }",
      "{ remove: 'Documents/Old' }",
    ]
    #expect(
      try await verdicts(killedCopy + again + ["{ backup: 'b' }"]) { _ in }
        == ["user-data-lost error 6 Documents/Old/2"])
    // Deleted by a step that was to come anyway.
    #expect(
      try await verdicts(
        killedCopy + ["{ remove: 'Documents/Old' }", "{ remove: 'Documents/New' }"]
      ) { _ in } == [])
  }

  @Test(arguments: [
    "{ remove: 'Documents/note' }", "{ save: 'Documents/note', contents: 'less' }",
    "{ move: 'Documents/note', to: 'Documents/other' }",
  ])
  func `nothing that a step does`(step: String) async throws {
    let findings = try await verdicts([note, "{ purge: 'idle' }", step, "{ relaunch: {} }"]) { _ in
    }
    #expect(findings == [])
  }

  @Test func `nothing that was saved again before the system acts`() async throws {
    func verdicts(_ contents: String) async throws -> [String] {
      let again = "{ save: 'Documents/note', contents: '\(contents)' }"
      return try await self.verdicts([note, "{ purge: 'idle' }", again, "{ backup: 'b' }"]) {
        try? FileManager.default.removeItem(at: $0.documents.file("note"))
      }
    }
    #expect(try await verdicts("a year of days") == [])
    #expect(try await verdicts("another year") == found)
  }

  @Test func `nothing that a start moves elsewhere, or copies and then removes`() async throws {
    let findings = try await verdicts([note] + onNewDevice) { container in
      let (old, new) = (container.documents.file("note"), container.documents.file("moved"))
      guard old.isThere else { return }
      try? FileManager.default.removeItem(at: new)
      try FileManager.default.copyItem(at: old, to: new)
      try FileManager.default.removeItem(at: old)
    }
    #expect(findings == [])
  }

  @Test func `nothing that a start moves, but what it moves to where the system purges`()
    async throws
  {
    let findings = try await verdicts([note, "{ relaunch: {} }"]) { container in
      let old = container.documents.file("note")
      guard old.isThere else { return }
      try FileManager.default.moveItem(at: old, to: container.temporary.file("note"))
    }
    #expect(findings == found)
  }

  @Test func `nothing that a start merges into another file`() async throws {
    let steps = [
      "{ save: 'Documents/list', contents: 'one' }",
      "{ save: 'Documents/pending', contents: 'two' }",
      "{ purge: 'idle' }", "{ relaunch: {} }",
    ]
    let findings = try await verdicts(steps) { container in
      let (list, pending) = (container.documents.file("list"), container.documents.file("pending"))
      guard pending.isThere, list.isThere else { return }
      try (Data(contentsOf: list) + Data(contentsOf: pending)).write(to: list, options: .atomic)
      try FileManager.default.removeItem(at: pending)
    }
    #expect(findings == [])
  }

  @Test func `in doubt what the first start of a version brings to a new format`() async throws {
    let steps = [note, "{ updateApp: '2' }", "{ relaunch: {} }"]
    let findings = try await verdicts(steps) { container in
      let (old, new) = (container.documents.file("note"), container.documents.file("note2"))
      guard old.isThere else { return }
      try Data("days".utf8).write(to: new)
      try FileManager.default.removeItem(at: old)
    }
    #expect(findings == inDoubt)
  }

  @Test func `in doubt a file that the first start of a version removes when it writes another`()
    async throws
  {
    let steps = [note, "{ updateApp: '2' }", "{ relaunch: {} }"]
    let findings = try await verdicts(steps) { container in
      let note = container.documents.file("note")
      guard note.isThere else { return }
      try Data("2".utf8).write(to: container.documents.file("version"))
      try FileManager.default.removeItem(at: note)
    }
    #expect(findings == inDoubt)
  }

  @Test func `nothing that a start has written itself`() async throws {
    let steps = [note, "{ purge: 'idle' }", "{ relaunch: {} }", "{ relaunch: {} }"]
    let findings = try await verdicts(steps) { container in
      let count = container.documents.file("starts")
      if count.isThere {
        try FileManager.default.removeItem(at: count)
      } else {
        try Data("a start".utf8).write(to: count)
      }
    }
    #expect(findings == [])
  }

  @Test func `nothing where a start completes what was interrupted, or takes it back`() async throws
  {
    let steps = [
      note, "{ save: 'Documents/trash', contents: 'note' }",
      "{ remove: 'Documents/note', killed: { before: 'remove' } }", "{ relaunch: {} }",
    ]
    let findings = try await verdicts(steps) { container in
      let documents = container.documents
      guard documents.file("trash").isThere else { return }
      try? FileManager.default.removeItem(at: documents.file("note"))
    }
    #expect(findings == [])
  }

  @Test(arguments: [
    ("a.sqlite", 13, true), ("a.db", 1024, true), ("a.realm.db", 4096, true), ("a.db", 1025, false),
    ("records", 1024, false),
  ])
  func `nothing of a database that a library rewrites in place, in whole pages`(
    name: String, size: Int, isDatabase: Bool
  ) async throws {
    let steps = ["{ save: 'Documents/\(name)', size: \(size) }", "{ relaunch: {} }"]
    let findings = try await verdicts(steps) { container in
      let database = container.documents.file(name)
      if database.isThere { try Data([7]).write(to: database) }
    }
    #expect(findings == (isDatabase ? [] : ["user-data-lost warning launch 1 Documents/\(name)"]))
  }

  @Test(arguments: ["lake=grey water", "lake=grey\nwater", "grey lake, grey water"])
  func `nothing that a start rewrites in a document of any size`(text: String) async throws {
    let document = try JSONEncoder().encode([text, "a hill"])
    let steps = [
      "{ save: 'Documents/pending', contents: \(String(reflecting: text)) }", "{ relaunch: {} }",
      "{ relaunch: {} }",
    ]
    let findings = try await verdicts(steps) { container in
      let pending = container.documents.file("pending")
      let list = container.documents.file("list.json")
      // As large as it was.
      guard pending.isThere else { return try Data(count: document.count).write(to: list) }
      try document.write(to: list)
      try FileManager.default.removeItem(at: pending)
    }
    #expect(findings == [])
  }

  @Test func `nothing that a start puts into a file of another class`() async throws {
    let findings = try await verdicts([note, "{ updateApp: '2' }", "{ relaunch: {} }"]) {
      container in
      let note = container.documents.file("note")
      guard note.isThere else { return }
      let support = container.applicationSupport
      try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
      let notes = [String(decoding: try Data(contentsOf: note), as: UTF8.self), "more"]
      try JSONEncoder().encode(notes).write(to: support.file("all.json"))
      try FileManager.default.removeItem(at: note)
    }
    #expect(!findings.contains { $0.hasPrefix("user-data-lost") }, "\(findings)")
  }

  @Test(arguments: ["{ relaunch: {} }", "{ updateApp: '2' }"])
  func `what a start removes though it writes another text that is as long`(
    ending: String
  ) async throws {
    let findings = try await verdicts([note, ending, "{ relaunch: {} }"]) { container in
      let note = container.documents.file("note")
      guard note.isThere else { return }
      try Data("welcome to this app".utf8).write(to: container.documents.file("welcome"))
      try FileManager.default.removeItem(at: note)
    }
    #expect(findings == inDoubt)
  }

  @Test(arguments: [(".dat.nosync1a2b.c3d4e5", false), ("dat.nosync", true)])
  func `nothing of what an unfinished save left behind, which a start removes`(
    name: String, isFound: Bool
  ) async throws {
    let save = "{ save: 'Documents/\(name)', contents: 'half of a year' }"
    let findings = try await verdicts([save, "{ relaunch: {} }"]) { container in
      try? FileManager.default.removeItem(at: container.documents.file(name))
    }
    #expect(findings.isEmpty != isFound)
  }

  @Test func `what a start empties, with advice on what the app is to delete`() async throws {
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
  fileprivate var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  fileprivate func file(_ name: String) -> URL { appendingPathComponent(name) }
}
