import BackupFileTree
import Testing
import TrialSupport

@testable import BackupScenarios

/// Steps in which the app is killed, and later steps that may fail because of this.
@Suite struct KilledStepTests {
  /// A step that saves a file.
  private let save = "{ save: 'Documents/a', contents: 'old' }"

  @Test func `the changes before the kill are made, and none after it`() async throws {
    let steps = [
      save,
      "{ save: 'Documents/a', contents: 'newer', how: 'inPlace', killed: { before: 'write' } }",
      "{ expectFile: { path: 'Documents/a', size: 0 } }",
      "{ save: 'Documents/a', contents: 'x', how: 'deleteFirst', killed: { before: 'create' } }",
      "{ expectFiles: { absent: ['Documents/a'] } }",
    ]
    #expect(try await Trial.failure(steps) == nil)
  }

  @Test func `the next app step starts the app again`() async throws {
    let transcript = try await Trial.transcript([
      save, "{ exclude: 'Documents/a', killed: { before: 'mark', path: 'Documents/a' } }", save,
    ])
    let launches = transcript.entries.count { if case .launch = $0.event { true } else { false } }
    #expect(launches == 2)
    #expect(transcript.lastTree[try ContainerPath("Documents/a")]?.marks.isEmpty == true)
  }

  @Test func `a step can name a change of the launch that it causes`() async throws {
    let launch = "launch: [{ createDirectory: 'Documents/D' }, { save: 'Documents/D/a', size: 1 }]"
    let step =
      "{ read: 'tmp/x', ifMissing: 'skip', killed: { before: 'rename', path: 'Documents/D/a' } }"
    let transcript = try await Trial.transcript([step], launch)
    #expect(transcript.failure == nil)
    let paths = transcript.lastTree.paths.map(\.description)
    #expect(paths.contains("Documents/D") && !paths.contains("Documents/D/a"))
  }

  @Test func `setting a default is one write, which iOS makes`() async throws {
    let set = "{ setDefault: { a: 1 }, killed: { before: 'write' } }"
    #expect(try await Trial.failure([set, "{ readDefault: 'a', expect: false }"]) != nil)
    #expect(try await Trial.transcript([set]).failure == nil)
    #expect(
      try await Trial.failure(["{ setDefault: { a: 1 }, killed: { before: 'create' } }"]) != nil)
  }

  @Test func `'occurrence' chooses one of several equal changes`() async throws {
    let removed = "{ remove: 'Documents/D', killed: { before: 'remove', occurrence: 2 } }"
    let steps = [
      "{ createDirectory: 'Documents/D' }", "{ save: 'Documents/D/a', size: 1 }",
      "{ save: 'Documents/D/b', size: 1 }", removed,
      "{ expectFiles: { present: ['Documents/D/a'], absent: ['Documents/D/b'] } }",
    ]
    #expect(try await Trial.failure(steps) == nil)
  }

  @Test func `the failure names a change that never came, and the changes that did`() async throws {
    let step = "{ save: 'Documents/a', size: 1, killed: { before: 'mark', path: 'Documents/b' } }"
    #expect(
      try await Trial.failure([step])
        == "step 1: the app was to be killed in this step before it marked 'Documents/b', but "
        + "the step made no such change; it made: create 'Documents/a', write 'Documents/a' "
        + "and rename 'Documents/a'")
  }

  @Test func `a step that fails before the kill fails as usual`() async throws {
    let missing = "{ save: 'Documents/D/a', size: 1, killed: { before: 'write' } }"
    #expect(try await Trial.failure([missing])?.contains("no such file") == true)
  }

  @Test func `the kit does not kill the app's own code, and says so`() async throws {
    let run = "{ run: ['true'], killed: { before: 'write' } }"
    #expect(
      try await Trial.failure([run])?.contains(
        "the step was not run, because the kit cannot kill") == true)
  }

  @Test func `a kill at each start ends the start, and not the run`() async throws {
    let transcript = try await Trial.transcript(
      ["{ createDirectory: 'Documents/D' }", "{ relaunch: {} }"],
      """
      launch: [{ save: 'Documents/a', size: 1, killed: { before: 'create' } },
      { createDirectory: 'Documents/E' }]
      """)
    #expect(transcript.failure == nil)
    let launches = transcript.entries.count { entry in
      if case .launch = entry.event { true } else { false }
    }
    #expect(launches == 2)
    let tree = transcript.lastTree
    #expect(tree.contains(try ContainerPath("Documents/D")))
    #expect(!tree.contains(try ContainerPath("Documents/E")))
  }

  @Test func `a step with 'mayThrow' may fail only after iOS has acted`() async throws {
    let make = "{ createDirectory: 'Documents/D/E', intermediates: false, mayThrow: true }"
    let missing = ["exists-before-use error 1 Documents/D"]
    #expect(try await Trial.verdicts([make]) == missing)
    #expect(try await Trial.failure(["{ purge: 'idle' }", make]) == nil)
    let killed = "{ save: 'Documents/a', size: 1, killed: { before: 'write' } }"
    #expect(try await Trial.failure([killed, make]) == nil)
    #expect(
      try await Trial.verdicts([
        "{ purge: 'idle' }", "{ read: 'Library/Caches/x', mayThrow: true }",
      ]) == [])
  }
}
