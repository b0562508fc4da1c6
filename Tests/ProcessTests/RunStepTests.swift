#if os(macOS) || os(Linux)
import BackupDevice
import BackupScenarios
import Foundation
import TestSupport
import Testing

/// The environment and the effects of a tool in a `run` step.
struct RunStepTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  @Test func `the tool's home, temporary and working directories are in the container`()
    async throws
  {
    let script = """
      printf '%s\\n' "$HOME" "$CFFIXED_USER_HOME" "$BACKUP_TESTING_CONTAINER" "$TMPDIR"
      [ . -ef "$HOME" ] && echo home
      """
    let transcript = try await folder.run(shell(script))
    #expect(transcript.failure?.message == nil)
    let lines = transcript.lines
    try #require(lines.count == 5)
    #expect(lines[0].contains("/sbt-"))
    #expect(Set(lines[...2]).count == 1)
    #expect(lines[3...] == ["\(lines[0])/tmp", "home"])
  }

  @Test func `files that the tool saves are in the container`() async throws {
    let transcript = try await folder.run(
      shell("printf hello > Documents/a.txt && printf x > \"$TMPDIR/b\"")
        + "{ expectFiles: { present: ['Documents/a.txt', 'tmp/b'] } }, { backup: 'one' }")
    #expect(transcript.failure?.message == nil)
    #expect(transcript.entries.last?.event.backup?.contents.bytes == 5)
  }

  @Test func `the tool's environment has only the kit's variables`() async throws {
    let transcript = try await folder.run("{ run: ['env'] }")
    let names = transcript.lines.compactMap { $0.split(separator: "=").first.map(String.init) }
    let others = names.filter { $0 != "LANG" && !$0.hasPrefix("LC_") }
    #expect(
      Set(others) == [
        "PATH", "HOME", "CFFIXED_USER_HOME", "__CFPREFERENCES_AVOID_DAEMON", "TMPDIR",
        "BACKUP_TESTING_CONTAINER", "BACKUP_TESTING_SYSTEM", "BACKUP_TESTING_APP_VERSION",
        "BACKUP_TESTING_LAUNCH_COUNT",
      ])
  }

  @Test func `the tool gets the app's version and the number of launches`() async throws {
    let step = try shell("echo $BACKUP_TESTING_APP_VERSION $BACKUP_TESTING_LAUNCH_COUNT")
    let transcript = try await folder.run(
      "\(step) { relaunch: {} }, \(step) { updateApp: '2.0' }, \(step)")
    #expect(transcript.outputs == ["1.0 1", "1.0 2", "2.0 3"])
  }

  @Test func `the tool's input is empty`() async throws {
    let transcript = try await folder.run("{ run: ['cat'] }")
    #expect(transcript.failure?.message == nil)
    #expect(transcript.outputs == [""])
  }

  @Test func `the tool inherits no file descriptor of this process`() async throws {
    let original = open("/dev/null", O_RDONLY)
    let descriptor = fcntl(original, F_DUPFD, 200)
    defer {
      close(original)
      close(descriptor)
    }
    let transcript = try await folder.run("{ run: ['ls', '/dev/fd/'] }")
    #expect(transcript.lines.compactMap { Int32($0) }.allSatisfy { $0 < 200 })
    #expect(transcript.lines.contains("2"))
  }

  @Test func `the tool gets its arguments unchanged`() async throws {
    let transcript = try await folder.run(
      "{ run: ['printf', '%s|', 'a b', '', '$HOME', '*', '\u{E9}', \"it's\"] }")
    #expect(transcript.outputs == ["a b||$HOME|*|\u{E9}|it's|"])
  }

  @Test func `the scenario's key launch can contain a run step`() async throws {
    let transcript = try await folder.run(
      "{ expectFiles: { absent: ['Documents/a'] } }, { relaunch: {} }, "
        + "{ expectFiles: { present: ['Documents/a'] } }",
      launch: shell("echo started > Documents/a"))
    #expect(transcript.failure?.message == nil)
  }

  @Test func `many tools run at once, each in its own container`() async throws {
    let outputs = try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<8 {
        group.addTask { [folder = try TestFolder()] in
          try await folder.run(
            shell("echo \(number) > Documents/n; cat Documents/n; pwd; ls Documents")
          ).lines
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(outputs.map { $0[0] }) == Set((0..<8).map { "\($0)" }))
    #expect(Set(outputs.map { $0[1] }).count == 8)
    #expect(outputs.allSatisfy { $0[2...] == ["n"] })
  }
}
#endif
