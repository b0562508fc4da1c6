import BackupFileTree
import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `An offloaded or deleted app` {
  /// Steps that save a file in each kind of place.
  private let files = ["Documents/a", "Library/b", "Library/Caches/c", "tmp/d"].map {
    "{ save: '\($0)', contents: 'x' }"
  }

  /// The message for a step that is impossible while the app is offloaded.
  private let mistake =
    "the app is offloaded here and cannot do anything; put { reinstall: {} } before this step"

  @Test func `has its data again after an offload`() async throws {
    #expect(
      try await Trial.failure(
        files + [
          "{ offload: {} }", "{ reinstall: {} }",
          "{ expectFile: { path: 'Documents/a', contents: 'x' } }",
          "{ expectFiles: { present: ['Library/b'], absent: ['Library/Caches/*', 'tmp/*'] } }",
        ]) == nil)
  }

  @Test func `has nothing after a deletion`() async throws {
    let transcript = try await Trial.transcript(files + ["{ reinstall: {} }"])
    #expect(transcript.failure == nil)
    #expect(transcript.lastTree == transcript.firstTree)
  }

  @Test func `has another container path each time it is installed`() async throws {
    let link = "{ link: 'Documents/l', to: 'Documents/a', absolute: true }"
    let ends = [["{ offload: {} }", "{ reinstall: {} }"], ["{ offload: {} }"]]
    let hasStaleLink = try await ends.asyncMap { end in
      let steps = files + [link] + end + ["{ backup: 'b' }"]
      let relaunch = end.count == 2 ? ["{ relaunch: {} }", "{ save: 'tmp/e', size: 1 }"] : []
      return try await Trial.transcript(steps + relaunch).entries.contains {
        if case .staleLink = $0.event { true } else { false }
      }
    }
    #expect(hasStaleLink == [true, false])
  }

  @Test(
    arguments: [
      "{ save: 'tmp/a', size: 1 }", "{ relaunch: {} }", "{ updateApp: '2' }", "{ offload: {} }",
      "{ place: 'Documents/a', size: 1 }", "{ readDefault: 'a' }",
    ])
  func `can do nothing while it is offloaded`(step: String) {
    #expect(Trial.mistakes(in: text(["{ offload: {} }", step])) == ["3:1: \(mistake)"])
    #expect(
      Trial.mistakes(in: text(["{ offload: {} }", "{ reinstall: {} }", step])).isEmpty)
  }

  @Test(
    arguments: [
      "{ kill: {} }", "{ purge: 'idle' }", "{ backup: 'c' }", "{ updateSystem: 'newest' }",
      "{ expectFiles: { absent: ['tmp/*'] } }", "{ restore: 'b' }, { save: 'tmp/a', size: 1 }",
    ])
  func `is not needed for steps of iOS and for assertions`(step: String) async throws {
    let steps = ["{ backup: 'b' }", "{ offload: {} }", step]
    #expect(Trial.mistakes(in: text(steps, "system: '18'")).isEmpty)
    #expect(try await Trial.failure(steps, "system: '18'") == nil)
  }

  @Test func `is missing only in the runs in which it is offloaded`() {
    let steps = ["{ offload: {}, on: '18' }", "{ save: 'tmp/a', size: 1 }"]
    #expect(
      Trial.mistakes(in: text(steps, "system: ['17', '18']"))
        == ["3:1: in the run under iOS 18 \(mistake)"])
  }

  /// Returns a scenario. The first step is on the second line, and each step has its own line.
  private func text(_ steps: [String], _ other: String = "") -> String {
    "{ title: 'T', steps: [\n\(steps.map { "\($0),\n" }.joined())], \(other) }"
  }
}

@Suite struct `A file that the system places` {
  @Test func `may lie at the top of a group's or an extension's container`()
    async throws
  {
    let paths = ["group.x:/a", "com.example.app.w:/a"]
    let steps = paths.flatMap { path in
      [
        "{ place: '\(path)', contents: 'x' }",
        "{ expectFile: { path: '\(path)', contents: 'x' } }",
      ]
    }
    let app = "app: { groups: ['group.x'], extensions: ['com.example.app.w'] }"
    #expect(try await Trial.failure(steps, app) == nil)
    #expect(try await Trial.failure(["{ place: 'group.x:', size: 1 }"], app) != nil)
  }

  @Test func `exists without a start of the app, with its parent directories`() async throws {
    let transcript = try await Trial.transcript(
      [
        "{ place: 'Documents/Inbox/a', contents: 'x' }",
        "{ expectFile: { path: 'Documents/Inbox/a', contents: 'x' } }",
      ], "launch: [{ save: 'tmp/running', size: 1 }]")
    #expect(transcript.failure == nil)
    #expect(transcript.entries.count == 1)
  }

  @Test func `replaces an existing file and its mark`() async throws {
    let transcript = try await Trial.transcript([
      "{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }",
      "{ place: 'Documents/a', size: 2 }", "{ backup: 'b' }",
    ])
    let item = transcript.lastTree[try ContainerPath("Documents/a")]
    #expect(item?.size == 2 && item?.marks == [])
    #expect(try await Trial.verdicts(["{ backup: 'b' }"]) == [])
  }

  @Test func `cannot be where a directory is`() async throws {
    #expect(
      try await Trial.failure(["{ place: 'Documents', size: 1 }"])
        == "step 1: 'Documents' is a directory")
  }

  @Test func `is the app's responsibility once the app has run`() async throws {
    let promise = "files: { '**': 'cached' }"
    let place = "{ place: 'Documents/a', size: 1 }"
    let backup = "{ backup: 'b' }"
    #expect(try await Trial.verdicts([place, backup], promise) == [])
    #expect(
      try await Trial.verdicts([place, "{ exclude: 'Documents/a' }", place, backup], promise) == [])
    for write in [
      "{ append: 'Documents/a', size: 1 }", "{ save: 'Documents/a', size: 1 }",
      "{ copy: 'Documents/a', to: 'Documents/b' }", "{ move: 'Documents/a', to: 'Documents/b' }",
    ] {
      let findingLines = try await Trial.verdicts([place, write, backup], promise)
      #expect(!findingLines.isEmpty)
      #expect(findingLines.allSatisfy { $0.hasPrefix("recreatable-data-backed-up") })
    }
  }
}
