import BackupDevice
import BackupFileTree
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// Records of comparisons with phones, in Tests/FidelityRecords: none may contradict what a profile
/// says for certain.
struct FidelityRecordTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The files of records in a folder.
  private static func files(in folder: URL) throws -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { folder.appendingPathComponent($0) }
  }

  /// What is contradicted by the records in a folder, each as `file: path`.
  private static func contradictions(in folder: URL) throws -> [String] {
    try files(in: folder).flatMap { file in
      try FidelityRecord(json: try Data(contentsOf: file)).contradictions.map {
        "\(file.lastPathComponent): \($0.path)"
      }
    }
  }

  /// A record with one disagreement.
  private static func record(
    _ path: String, _ predicted: String, _ seen: String, rules: String = "18"
  ) -> String {
    """
    { "format": 1, "kit": "0", "system": "18.1", "build": "22B83", "rules": "\(rules)",
      "date": "2026-01-31", "agreeing": 1, "leftOut": {},
      "disagreements": [{ "path": "\(path)", "predicted": "\(predicted)", "seen": "\(seen)",
        "evidence": "" }] }
    """
  }

  @Test func `no phone contradicts what a profile says for certain`() throws {
    let folder = Self.tests.appendingPathComponent("FidelityRecords")
    #expect(try Self.contradictions(in: folder) == [])
  }

  /// A green test over no record would show nothing, so the article says how many there are.
  @Test func `the article says how many records there are`() throws {
    let files = try Self.files(in: Self.tests.appendingPathComponent("FidelityRecords"))
    let article = try String(
      contentsOf: Self.tests.deletingLastPathComponent().appendingPathComponent(
        "Sources/BackupTesting/BackupTesting.docc/BackupFolders.md"), encoding: .utf8)
    #expect(article.contains("Results from real phones in this repository: \(files.count)."))
  }

  @Test(arguments: [
    ("Library/Caches/a", "out: location", "in", true), ("Documents/a", "in", "out", true),
    ("Documents/a", "out: own-mark", "in", true),
    ("com.example.app.widget:/Documents/a", "in", "out", true),
    // They are no statements about iOS.
    ("Documents/a", "out: special-file", "in", false),
    ("Documents/a", "nothing", "in", false),
    ("Documents/a", "a file of 1 bytes", "a directory", false),
  ])
  func `a record contradicts where the profile is certain`(
    path: String, predicted: String, seen: String, isOne: Bool
  ) throws {
    let folder = try TestFolder(["a.json": Self.record(path, predicted, seen), "b.txt": "none"])
    #expect(try Self.contradictions(in: folder.url) == (isOne ? ["a.json: \(path)"] : []))
  }

  @Test func `what a profile is not certain of is no contradiction`() throws {
    let path = "com.example.app.widget:/Documents/a"
    let folder = try TestFolder(["a.json": Self.record(path, "in", "out", rules: "8")])
    #expect(try Self.contradictions(in: folder.url) == [])
  }

  @Test func `rules that are not known, another format and no record are said`() throws {
    let unknown = try TestFolder([
      "a.json": Self.record("Documents/a", "nothing", "in", rules: "99")
    ])
    #expect(try Self.contradictions(in: unknown.url).count == 1)
    for text in ["{}", "[]", "", Self.record("a", "in", "out").replacing("1,", with: "2,")] {
      #expect(throws: (any Error).self) { _ = try FidelityRecord(json: Data(text.utf8)) }
    }
  }

  @Test func `what compare-backup records is read again`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    try backup.change("DELETE FROM Files WHERE relativePath = 'Documents/list.json'")
    let record = FidelityRecord(
      try backup.comparison(), of: try BackupFolder(at: backup.device), kit: "1")
    #expect(try FidelityRecord(json: Data(try record.json().utf8)) == record)
    #expect(record.contradictions.map(\.path) == ["Documents/list.json"])
  }
}

extension FidelityRecord {
  /// Reads a record that was encoded as JSON; another format is an error.
  fileprivate init(json: Data) throws {
    self = try JSONDecoder().decode(FidelityRecord.self, from: json)
    guard format == Self.format else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [],
          debugDescription:
            "unknown format \(format); this version of the kit reads format \(Self.format)"))
    }
  }

  /// The disagreements with what the profile of today says, and not as `unverified`: items that
  /// were left out and are predicted in, or the other way round.
  ///
  /// - Returns: Those; all where no profile has the rules that the record names.
  fileprivate var contradictions: [Disagreement] {
    let profile = SystemProfile.all.first { $0.version.description == rules }
    return disagreements.filter { disagreement in
      guard let profile, let path = try? ContainerPath(disagreement.path) else { return true }
      switch (disagreement.predicted, disagreement.seen) {
      case ("in", "out"):
        return profile.backupPolicy(for: SystemProfile.ContainerKind(of: path)).roots.evidence
          != .unverified
      case (let predicted, "in") where predicted.hasPrefix(Self.outPrefix):
        let word = String(predicted.dropFirst(Self.outPrefix.count))
        return profile.evidence(for: word, at: path).map { $0 != .unverified } ?? false
      default: return false
      }
    }
  }
}
