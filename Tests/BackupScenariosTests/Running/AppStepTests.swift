import BackupFileTree
import TestSupport
import Testing
import TrialSupport

@testable import BackupDiagnostics
@testable import BackupScenarios

@Suite struct `An app step` {
  /// Returns the files after the steps, each as its path and its size.
  private func files(after steps: [String]) async throws -> [String] {
    let transcript = try await Trial.transcript(steps)
    #expect(transcript.failure == nil)
    var lines: [String] = []
    transcript.lastTree.walk { path, item in
      if let size = item.size { lines.append("\(path) \(size)") }
      return true
    }
    return lines
  }

  @Test func `saves, appends, moves, copies and removes`() async throws {
    let files = try await files(after: [
      "{ save: 'Documents/a', size: '1 KB' }",
      "{ append: 'Documents/a', contents: 'höhe' }",
      "{ copy: 'Documents/a', to: 'Documents/b' }",
      "{ move: 'Documents/a', to: 'Documents/c' }",
      "{ save: 'tmp/d', contents: '' }",
      "{ move: 'Documents/b', to: 'tmp/d', over: true }",
      "{ save: 'tmp/e', size: 1 }",
      "{ remove: 'tmp/e' }",
    ])
    #expect(files == ["Documents/c 1005", "tmp/d 1005"])
  }

  @Test(arguments: FileOperation.WriteMethod.allCases)
  func `saves again in each way`(method: FileOperation.WriteMethod) async throws {
    let steps = ["10", "5"].map { "{ save: 'tmp/a', size: \($0), how: '\(method.rawValue)' }" }
    #expect(try await files(after: steps) == ["tmp/a 5"])
  }

  @Test(arguments: [
    ("replaceItem", false), ("document", false), ("fileHandle", true), ("atomically", false),
  ])
  func `keeps the mark in a save as Foundation's calls do`(how: String, isKept: Bool) async throws {
    let transcript = try await Trial.transcript([
      "{ save: 'tmp/a', size: 1 }", "{ exclude: 'tmp/a' }",
      "{ save: 'tmp/a', size: 2, how: '\(how)' }",
    ])
    #expect(try transcript.lastTree[ContainerPath("tmp/a")]?.marks.isEmpty == !isKept)
  }

  @Test func `creates directories with and without their parents`() async throws {
    let nestedDirectory = "Documents/A/B"
    #expect(try await Trial.failure(["{ createDirectory: '\(nestedDirectory)' }"]) == nil)
    #expect(
      try await Trial.verdicts(["{ createDirectory: '\(nestedDirectory)', intermediates: false }"])
        == ["exists-before-use error 1 Documents/A"])
  }

  @Test func `sets and clears either mark`() async throws {
    let path = try ContainerPath("tmp/a")
    let start = ["{ save: 'tmp/a', size: 1 }", "{ exclude: 'tmp/a' }"]
    let markedBothWays = start + ["{ exclude: 'tmp/a', using: 'extendedAttribute' }"]
    let trees = try await [
      start, markedBothWays, markedBothWays + ["{ include: 'tmp/a' }"],
      markedBothWays + [
        "{ include: 'tmp/a', using: 'extendedAttribute' }", "{ include: 'tmp/a' }",
      ],
    ].asyncMap { try await Trial.transcript($0).lastTree }
    #expect(
      trees.map { $0[path]?.marks } == [
        .resourceValue, [.resourceValue, .extendedAttribute], .extendedAttribute, [],
      ])
  }

  @Test func `that fails ends the run, and the failure has its position`() async throws {
    let transcript = try await Trial.transcript([
      "{ backup: 'before' }", "  { append: 'tmp/a', size: 1 }", "{ backup: 'after' }",
    ])
    #expect(transcript.failure?.step.number == .step(2))
    #expect(transcript.failure?.step.position == SourcePosition(line: 3, column: 3))
    #expect(transcript.failure?.message == "no such file: 'tmp/a'")
    #expect(transcript.systemEntries.count == 1)
  }

  @Test func `cannot save into a directory that a new app lacks`() async throws {
    #expect(
      try await Trial.verdicts(["{ save: '\(support)/a', size: 1 }"])
        == ["exists-before-use error 1 \(support)"])
  }

  @Test func `cannot write through a link that the scenario created`() async throws {
    let link = "{ link: 'Documents/way', to: 'Library' }"
    let steps = [
      "{ save: 'Documents/way/a', size: 1 }", "{ createDirectory: 'Documents/way/A' }",
      "{ save: 'Documents/way', size: 1 }", "{ append: 'Documents/way', size: 1 }",
      "{ exclude: 'Documents/way' }", "{ remove: 'Documents/way/Preferences' }",
      "{ copy: 'Documents/way/Preferences', to: 'tmp/a' }",
      "{ move: 'Documents/way/Preferences', to: 'tmp/a' }",
      "{ link: 'Documents/way/a', to: 'tmp' }",
    ]
    for step in steps {
      #expect(
        try await Trial.failure([link, step])
          == "step 2: 'Documents/way' is a link or a special file, and the kit does not write "
          + "through those"
      )
    }
  }

  @Test func `that performs an unbound action is an error`() async throws {
    let failure = try #require(try await Trial.failure(["{ perform: 'down\\nload' }"]))
    #expect(failure.hasPrefix("step 1: ") && failure.contains("down\\nload"))
  }
}
