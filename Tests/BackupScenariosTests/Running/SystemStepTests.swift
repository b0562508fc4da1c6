import BackupDevice
import BackupFileTree
import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `A system step` {
  @Test func `purges the places of its keyword, or the files of its patterns`() async throws {
    let files = [
      "{ save: 'Library/Caches/a', size: 1 }", "{ save: 'tmp/a', size: 1 }",
      "{ save: 'Documents/a', size: 1 }",
    ]
    let purgedPaths = try await [
      "{ purge: 'lowStorage' }", "{ purge: 'criticalStorage' }", "{ purge: ['tmp/**'] }",
    ].asyncMap { purge in
      try await Trial.transcript(files + [purge]).entries.flatMap { record -> [String] in
        guard case .system(.purge, let purged) = record.event else { return [] }
        return purged.map(\.path.description)
      }
    }
    #expect(purgedPaths == [["Library/Caches/a"], ["Library/Caches/a", "tmp/a"], ["tmp/a"]])
  }

  @Test func `updates the app and keeps the items that it names`() async throws {
    let files = ["Documents/a", "Library/Caches/a", "tmp/a"].map { "{ save: '\($0)', size: 1 }" }
    #expect(
      try await Trial.failure(
        files + [
          "{ updateApp: '2.0' }",
          "{ expectFiles: { present: ['Documents/a', 'Library/Caches/a'], absent: ['tmp/*'] } }",
        ]) == nil)
    #expect(
      try await Trial.failure(
        files + [
          "{ updateApp: '2.0', keeping: ['tmp'] }", "{ expectFiles: { present: ['tmp/a'] } }",
        ]) == nil)
  }

  @Test func `updates the app and loses the items that it names`() async throws {
    let files = ["Library/Caches/a", "Library/Caches/b", "Documents/a"].map {
      "{ save: '\($0)', size: 1 }"
    }
    let transcript = try await Trial.transcript(
      files + ["{ updateApp: '2.0', losing: ['Library/Caches/a', 'StoreKit/**'] }"])
    guard case .system(.appUpdate, let lost)? = transcript.entries.last?.event else {
      Issue.record("there was no update")
      return
    }
    #expect(transcript.failure == nil)
    #expect(lost.map(\.path.description) == ["Library/Caches/a"])
    #expect(try transcript.lastTree.contains(ContainerPath("Library/Caches/b")))
  }

  @Test func `updates the system`() async throws {
    let later = try await Trial.transcript(
      ["{ updateSystem: '9' }", "{ backup: 'a' }"], "system: '5.0', guidance: 'ignored'")
    #expect(later.entries.map(\.profile.version.description) == ["9", "9"])
    #expect(later.entries.allSatisfy { $0.profile.guidance == .ignored })
  }

  @Test func `restores the items of a backup, and nothing else`() async throws {
    #expect(
      try await Trial.failure(
        markedMovie + [
          "{ save: 'Documents/a', size: 1 }", "{ backup: 'first' }",
          "{ save: 'Documents/b', size: 1 }", "{ restore: 'first' }",
          "{ expectFiles: { present: ['Documents/a', '\(support)/Movies'], "
            + "absent: ['Documents/b', '\(support)/Movies/*'] } }",
        ]) == nil)
  }

  @Test func `restores the latest backup of a label`() async throws {
    #expect(
      try await Trial.failure([
        "{ save: 'Documents/a', contents: 'old' }", "{ backup: 'same' }",
        "{ save: 'Documents/b', contents: 'new' }", "{ backup: 'same' }", "{ restore: 'same' }",
        "{ expectFiles: { present: ['Documents/b'] } }",
      ]) == nil)
  }

  @Test func `backs up marked items too while guidance is ignored`() async throws {
    let check = "{ expectBackup: { contains: ['\(support)/Movies/1.mp4'] } }"
    let steps = markedMovie + ["{ backup: 'a' }", check]
    #expect(try await Trial.failure(steps, "guidance: 'ignored'") == nil)
    #expect(
      try await Trial.failure(steps)
        == "step 5: the backup \"a\" contains no item that matches '\(support)/Movies/1.mp4': "
        + "'\(support)/Movies/1.mp4' is excluded, own mark")
  }
}

@Suite struct `An assertion` {
  @Test(
    arguments: [
      (
        "{ expectFiles: { present: ['Documents/*.txt'] } }",
        "expected an item that matches 'Documents/*.txt', but no item matches"
      ),
      (
        "{ expectFiles: { absent: ['tmp', 'x'] } }",
        "expected no item that matches 'tmp', but 'tmp' exists"
      ),
      (
        "{ expectFiles: { present: ['tmp/**'] } }",
        "expected an item that matches 'tmp/**', but no item matches"
      ),
      (
        "{ expectBackup: { contains: ['Library/Preferences/**'] } }",
        "the backup \"a\" contains no item that matches 'Library/Preferences/**'"
      ),
      (
        "{ expectBackup: { lacks: ['Documents/*'] } }",
        "the backup \"a\" contains 'Documents/a', but must not contain 'Documents/*'"
      ),
      (
        "{ expectBackup: { contains: ['Documents/a', 'no\\nwhere'] } }",
        "the backup \"a\" contains no item that matches 'no\\nwhere'"
      ),
    ])
  func `that fails says what it found`(step: String, message: String) async throws {
    let steps = ["{ save: 'Documents/a', size: 1 }", "{ backup: 'a' }", step]
    #expect(try await Trial.failure(steps) == "step 3: \(message)")
  }

  @Test func `on the contents of a directory is not about the directory itself`() async throws {
    let check = "{ expectFiles: { absent: ['tmp/**'], present: ['Documents/**', '**'] } }"
    #expect(try await Trial.failure(["{ save: 'Documents/a', size: 1 }", check]) == nil)
  }

  @Test func `applies to the latest backup`() async throws {
    #expect(
      try await Trial.failure([
        "{ backup: 'a' }", "{ save: 'Documents/a', size: 1 }", "{ backup: 'b' }",
        "{ expectBackup: { contains: ['Documents/a'] } }",
      ]) == nil)
  }
}
