import BackupContainer
import BackupDevice
import BackupFileTree
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// `Manifest.mbdb`, the list of items before iOS 10.
@Suite struct MobileBackupDatabaseTests {
  /// Returns the `size` bytes of a number, the most significant byte first.
  private static func number(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  /// Returns a text with its length before it.
  private static func text(_ text: String?) -> [UInt8] {
    guard let text else { return [0xFF, 0xFF] }
    return number(UInt64(text.utf8.count), 2) + Array(text.utf8)
  }

  /// Returns a record of the format.
  private static func record(
    _ domain: String, _ path: String, mode: UInt64, size: UInt64 = 0, target: String? = nil,
    attributes: [(String, String)] = []
  ) -> [UInt8] {
    text(domain) + text(path) + text(target) + text(nil) + text(nil) + number(mode, 2)
      + number(7, 8) + number(501, 4) + number(501, 4) + number(1_300_000_000, 4) + number(0, 4)
      + number(0, 4) + number(size, 8) + [3] + number(UInt64(attributes.count), 1)
      + attributes.flatMap { text($0.0) + text($0.1) }
  }

  /// Returns a backup folder whose `Manifest.mbdb` has these records.
  private static func folder(_ records: [UInt8]) throws -> TestFolder {
    let folder = try TestFolder()
    let manifest = PropertyList.dictionary([
      "IsEncrypted": .boolean(false), "Lockdown": .dictionary(["ProductVersion": .string("9.3.5")]),
    ])
    try folder.write(manifest.binaryBytes, to: "Manifest.plist")
    try folder.write(Array("mbdb".utf8) + [5, 0] + records, to: "Manifest.mbdb")
    return folder
  }

  /// The records of an app with a file and a link, and of an item in another domain.
  private static let records =
    record("AppDomain-com.example.app", "", mode: 0o040755)
    + record("AppDomain-com.example.app", "Documents", mode: 0o040755)
    + record(
      "AppDomain-com.example.app", "Documents/a", mode: 0o100644, size: 5,
      attributes: [
        ("com.apple.MobileBackup", "\u{1}")
      ])
    + record("AppDomain-com.example.app", "Documents/b", mode: 0o120755, target: "a")
    + record("HomeDomain", "Library", mode: 0o040755)

  @Test func `files, directories, links and attributes are read`() throws {
    let folder = try Self.folder(Self.records)
    let domain = BackupDomain(nil, of: "com.example.app")
    try folder.write([1, 2, 3, 4, 5], to: domain.fileID(of: Array("Documents/a".utf8)))
    let backup = try BackupFolder(at: folder.path)
    #expect(backup.profile?.version.description == "9")
    let contents = try backup.contents(of: [domain], app: "com.example.app")
    #expect(contents.faults.isEmpty)
    #expect(contents.filesWithoutContents.isEmpty)
    try folder.write([1], to: domain.fileID(of: Array("Documents/a".utf8)))
    let contentsAfterCut = try backup.contents(of: [domain], app: "com.example.app")
    #expect(
      contentsAfterCut.filesWithoutContents == [try ContainerPath("Documents/a"): .fileOfSize(1)])
    let kinds = contents.records.mapValues(\.kind)
    #expect(
      kinds == [
        try ContainerPath("Documents"): .directory,
        try ContainerPath("Documents/a"): .file(size: 5),
        try ContainerPath("Documents/b"): .link(target: [UInt8(ascii: "a")]),
      ])
    let file = try #require(contents.records[ContainerPath("Documents/a")])
    #expect(file.attributes.marks == .extendedAttribute)
  }

  @Test func `a list that ends early is an error, wherever it ends`() throws {
    let domain = BackupDomain(nil, of: "com.example.app")
    let first = Self.record("AppDomain-com.example.app", "", mode: 0o040755).count
    for count in 1..<first {
      let folder = try Self.folder(Array(Self.records[..<count]))
      let error = #expect(throws: BackupFolderError.self) {
        try BackupFolder(at: folder.path).contents(of: [domain], app: "com.example.app")
      }
      #expect(error?.reason == "is damaged: the record at byte 6 ends after the end of the file")
    }
  }
}
