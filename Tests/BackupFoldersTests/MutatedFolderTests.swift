import BackupFileTree
import BackupReports
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// Backup folders after random or hostile changes. The kit throws an error or reports the damage,
/// does not change the folder, and never hangs.
@Suite struct MutatedFolderTests {
  /// The number of changed folders that each round reads.
  private static let foldersPerRound = 100

  /// The random changes. A change that stands twice is twice as likely.
  private static let mutations: [@Sendable (inout SeededGenerator, Target) throws -> Void] = [
    flipBits, flipBits, cut, splice, flipDescription, flipDescription, changeTypes, addHostilePath,
    changeFlags, replaceByOddItem, replaceListByXML,
  ]

  /// The folder that the tests change.
  struct Target {
    let device: String
    let domain: BackupDomain
    /// The original contents of the files in `listFiles`, by their names.
    let original: [String: Data]
    /// The app's records in the original manifest.
    let records: [ContainerPath: BackupRecord]
    var manifest: String { "\(device)/Manifest.db" }
  }

  /// The number of folders with each result in a round.
  private struct Tally: Hashable {
    var errors = 0
    var faults = 0
    var differences = 0
    var clean = 0
  }

  @Test(arguments: Thoroughness.seeds(1, of: 100))
  func `a changed folder is an error or has lines that report the damage`(round: UInt64)
    async throws
  {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    let original = try Self.listFiles.reduce(into: [:]) {
      $0[$1] = try Data(contentsOf: URL(fileURLWithPath: "\(backup.device)/\($1)"))
    }
    let target = Target(
      device: backup.device, domain: backup.domains[0], original: original,
      records: try backup.comparison().contents.records)
    let contents = try Self.state(of: target.device, isDeep: true)
    var generator = SeededGenerator(seed: round)
    var tally = Tally()
    for _ in 0..<Self.foldersPerRound {
      try Self.restoreListFiles(of: target)
      // A pipe in the place of a file would make the next change wait for ever.
      for _ in 0...Int.random(in: 0...1, using: &generator) where Self.hasOnlyRegularFiles(target) {
        // SQLite may refuse to change a database that is already damaged.
        try? Self.mutations.randomElement(using: &generator)?(&generator, target)
      }
      let before = try Self.state(of: target.device)
      Self.read(target, of: backup, &tally)
      #expect(try Self.state(of: target.device) == before)
    }
    #expect(try Self.state(of: target.device, isDeep: true) == contents)
    // A round needs some folders of each result. If all folders were unreadable, it would test
    // little.
    #expect(tally.errors > 0 && tally.faults > 0 && tally.differences > 0, "\(tally)")
    #expect(tally.clean < Self.foldersPerRound / 2, "\(tally)")
    let names = try FileManager.default.contentsOfDirectory(atPath: backup.place.path)
    #expect(names == ["backup"])
  }

  /// Whether the list files and the manifest's log are regular files, if they exist.
  private static func hasOnlyRegularFiles(_ target: Target) -> Bool {
    (listFiles + ["Manifest.db-wal"]).allSatisfy { name in
      var status = stat()
      guard lstat("\(target.device)/\(name)", &status) == 0 else { return true }
      return status.st_mode & S_IFMT == S_IFREG
    }
  }

  /// Writes the original list files, and removes the files that SQLite keeps beside the manifest.
  private static func restoreListFiles(of target: Target) throws {
    for name in listFiles + ["Manifest.db-wal", "Manifest.db-shm", "Manifest.db-journal"] {
      let path = "\(target.device)/\(name)"
      if unlink(path) != 0 { rmdir(path) }
      try target.original[name]?.write(to: URL(fileURLWithPath: path))
    }
  }

  /// Reads a folder and counts the result.
  private static func read(_ target: Target, of backup: ExportedBackup, _ tally: inout Tally) {
    do throws(BackupFolderError) {
      let folder = try BackupFolder(at: target.device)
      let contents = try folder.contents(of: backup.domains, app: backup.app)
      guard let profile = folder.profile else {
        tally.errors += 1
        return
      }
      let comparison = BackupComparison(
        contents, with: backup.tree, domains: backup.domains, examined: Set(backup.domains),
        on: profile)
      tally.faults += contents.faults.isEmpty ? 0 : 1
      tally.differences += comparison.differences.isEmpty ? 0 : 1
      tally.clean += comparison.isClean ? 1 : 0
      // If the report names no problem, the change did not affect the app. It hit another row or a
      // date, for example.
      if comparison.isClean { #expect(contents.records == target.records) }
      #expect(comparison.text.hasSuffix("\n"))
      #expect((try? comparison.json())?.hasPrefix("{") == true)
      let withoutContainer = BackupComparison(
        contents, with: FileTree(), domains: backup.domains, examined: [], on: profile)
      #expect(withoutContainer.text.hasSuffix("\n"))
      #expect(contents.records.keys.allSatisfy { !"/\($0.string)/".contains("/../") })
    } catch {
      tally.errors += 1
      #expect(!error.reason.isEmpty && error.description.utf8.count < 10_000)
    }
  }

  /// Returns the name, size and date of each item at the top of a folder. If `isDeep`, returns
  /// those of all other items.
  private static func state(of folder: String, isDeep: Bool = false) throws -> Set<String> {
    let manager = FileManager.default
    let names =
      isDeep
      ? try manager.subpathsOfDirectory(atPath: folder).filter { $0.contains("/") }
      : try manager.contentsOfDirectory(atPath: folder)
    return try Set(
      names.map { name in
        var status = stat()
        lstat("\(folder)/\(name)", &status)
        let attributes = try manager.attributesOfItem(atPath: "\(folder)/\(name)")
        let modified = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(name) \(status.st_size) \(status.st_mode) \(modified)"
      })
  }
}

extension MutatedFolderTests {
  /// The files that list the contents of a backup folder.
  private static let listFiles = ["Manifest.db", "Manifest.plist", "Status.plist"]

  /// Changes the bytes of a random list file.
  private static func changeBytes(
    _ generator: inout SeededGenerator, _ target: Target,
    _ edit: (inout SeededGenerator, inout [UInt8]) -> Void
  ) throws {
    let name = listFiles[Int.random(in: 0..<listFiles.count, using: &generator)]
    let url = URL(fileURLWithPath: "\(target.device)/\(name)")
    var bytes = Array(try Data(contentsOf: url))
    guard !bytes.isEmpty else { return }
    edit(&generator, &bytes)
    try Data(bytes).write(to: url)
  }

  private static func flipBits(_ generator: inout SeededGenerator, _ target: Target) throws {
    try changeBytes(&generator, target) { generator, bytes in
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    }
  }

  private static func cut(_ generator: inout SeededGenerator, _ target: Target) throws {
    try changeBytes(&generator, target) { generator, bytes in
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
    }
  }

  /// Copies a part of a file over another part of it.
  private static func splice(_ generator: inout SeededGenerator, _ target: Target) throws {
    try changeBytes(&generator, target) { generator, bytes in
      let size = Int.random(in: 1...min(512, bytes.count), using: &generator)
      let sourceStart = Int.random(in: 0...bytes.count - size, using: &generator)
      let targetStart = Int.random(in: 0...bytes.count - size, using: &generator)
      bytes.replaceSubrange(
        targetStart..<targetStart + size, with: Array(bytes[sourceStart..<sourceStart + size]))
    }
  }

  /// Changes bytes of an item's description.
  private static func flipDescription(
    _ generator: inout SeededGenerator, _ target: Target
  ) throws {
    let path = "Documents/list.json"
    var bytes = try ManifestEditing.description(of: path, in: target.manifest)
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
    }
    let update = try SQLiteDatabase(path: target.manifest).prepare(
      "UPDATE Files SET file = ? WHERE relativePath = ?")
    try update.run(.blob(bytes), .text(Array(path.utf8)))
  }

  /// Puts values of other types into a column.
  private static func changeTypes(_ generator: inout SeededGenerator, _ target: Target) throws {
    let columns = ["fileID", "domain", "relativePath", "flags", "file"]
    let values = [
      "NULL", "1", "-9223372036854775808", "1e300", "X'FF00FE'", "''", "'text'", "zeroblob(100000)",
      "file", "relativePath",
    ]
    let column = columns[Int.random(in: 0..<columns.count, using: &generator)]
    let value = values[Int.random(in: 0..<values.count, using: &generator)]
    let divisor = Int.random(in: 1...5, using: &generator)
    try ManifestEditing.execute(
      "UPDATE OR IGNORE Files SET \(column) = \(value) WHERE rowid % \(divisor) = 0",
      in: target.manifest)
  }

  /// Adds an item with a hostile path.
  private static func addHostilePath(_ generator: inout SeededGenerator, _ target: Target) throws {
    let paths = [
      "..", "../..", "/", "/etc/passwd", "Documents/../../x", ".", "a\u{0}b", "a//b", "a/",
      "group.com.example.app:", "group.com.example.app:/x", String(repeating: "../", count: 300),
      String(repeating: "d/", count: 500), String(repeating: "long", count: 5_000), "\u{202E}x",
    ]
    let path = paths[Int.random(in: 0..<paths.count, using: &generator)]
    let kinds: [BackupRecord.Kind] = [
      .file(size: .max), .directory, .link(target: Array(path.utf8)),
    ]
    let kind = kinds[Int.random(in: 0..<kinds.count, using: &generator)]
    try ManifestEditing.add(
      BackupRecord(kind), at: path, in: target.domain, of: target.manifest)
  }

  /// Changes the flags, which store the kind of each item.
  private static func changeFlags(_ generator: inout SeededGenerator, _ target: Target) throws {
    let flags = [0, 1, 2, 3, 4, 8, -1, Int.max].randomElement(using: &generator) ?? 0
    try ManifestEditing.execute("UPDATE Files SET flags = \(flags)", in: target.manifest)
  }

  /// Replaces a list file by a link, a pipe or a directory.
  private static func replaceByOddItem(
    _ generator: inout SeededGenerator, _ target: Target
  ) throws {
    let names = listFiles + ["Manifest.db-wal"]
    let path = "\(target.device)/\(names[Int.random(in: 0..<names.count, using: &generator)])"
    unlink(path)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: symlink("/dev/zero", path)
    case 1: mkfifo(path, 0o600)
    default: mkdir(path, 0o700)
    }
  }

  /// Replaces a property list by XML that is deeply nested, malformed or has other types.
  private static func replaceListByXML(_ generator: inout SeededGenerator, _ target: Target) throws
  {
    let levels = [1, 10, 31, 33, 10_000].randomElement(using: &generator) ?? 1
    let texts = [
      String(repeating: "<array>", count: levels) + String(repeating: "</array>", count: levels),
      "<dict><key>IsEncrypted</key><array/><key>Lockdown</key><string>x</string></dict>",
      "<dict><key>SnapshotState</key><integer>99999999999999999999999</integer></dict>",
      "<dict><key>CF$UID</key><integer>5</integer></dict>", "<dict><key>a</key></dict>", "<string>",
      String(repeating: "<dict><key>a</key>", count: levels), "<date>never</date>", "",
    ]
    let text = texts[Int.random(in: 0..<texts.count, using: &generator)]
    let name = ["Manifest.plist", "Status.plist"].randomElement(using: &generator) ?? ""
    try Data("<?xml version=\"1.0\"?><plist version=\"1.0\">\(text)</plist>".utf8).write(
      to: URL(fileURLWithPath: "\(target.device)/\(name)"))
  }
}
