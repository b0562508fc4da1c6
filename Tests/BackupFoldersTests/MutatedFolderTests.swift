import BackupFileTree
import BackupReports
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// Folders that were changed at random, as by whoever means harm: each is an error or has lines that
/// say what is wrong, and nothing of it is changed or read for ever.
@Suite struct MutatedFolderTests {
  /// How many folders are tried with one that was written.
  private static let perRound = 100

  /// The ways to change a folder.
  private static let ways: [@Sendable (inout SeededGenerator, Target) throws -> Void] = [
    flipBits, flipBits, cut, splice, flipDescription, flipDescription, changeTypes, changePaths,
    changeFlags, replaceByOddItem, growList,
  ]

  /// A folder that is changed.
  struct Target {
    let device: String
    let domain: BackupDomain
    /// What the files that say what it holds were written as.
    let original: [String: Data]
    /// What these say of the app.
    let records: [ContainerPath: BackupRecord]
    var manifest: String { "\(device)/Manifest.db" }
  }

  /// How often what came of a round.
  private struct Tally: Hashable {
    var errors = 0
    var faults = 0
    var differences = 0
    var clean = 0
  }

  @Test(arguments: Thoroughness.seeds(1, of: 100))
  func `a changed folder is an error or has lines that say it`(round: UInt64) async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    let original = try Self.lists.reduce(into: [:]) {
      $0[$1] = try Data(contentsOf: URL(fileURLWithPath: "\(backup.device)/\($1)"))
    }
    let target = Target(
      device: backup.device, domain: backup.domains[0], original: original,
      records: try backup.comparison().contents.records)
    let contents = try Self.state(of: target.device, isDeep: true)
    var generator = SeededGenerator(seed: round)
    var tally = Tally()
    for _ in 0..<Self.perRound {
      try Self.restoreLists(of: target)
      // A pipe in a file's place would have the next change wait for ever.
      for _ in 0...Int.random(in: 0...1, using: &generator) where Self.isPlain(target) {
        // SQLite may refuse to change what was broken before.
        try? Self.ways.randomElement(using: &generator)?(&generator, target)
      }
      let before = try Self.state(of: target.device)
      Self.read(target, of: backup, &tally)
      #expect(try Self.state(of: target.device) == before)
    }
    #expect(try Self.state(of: target.device, isDeep: true) == contents)
    // Such a round has some of each: a generator that breaks every folder at once tries nothing.
    #expect(tally.errors > 0 && tally.faults > 0 && tally.differences > 0, "\(tally)")
    #expect(tally.clean < Self.perRound / 2, "\(tally)")
    let names = try FileManager.default.contentsOfDirectory(atPath: backup.place.path)
    #expect(names == ["backup"])
  }

  @Test func `a path of a million bytes is a fault, and said shortly`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    try ManifestEditing.add(
      BackupRecord(.directory), at: String(repeating: "long", count: 250_000),
      in: backup.domains[0], of: "\(backup.device)/Manifest.db")
    let comparison = try backup.comparison()
    #expect(comparison.contents.faults[.path]?.count == 1)
    #expect(comparison.text.utf8.count < 10_000)
  }

  /// Whether nothing but files is where these have to be.
  private static func isPlain(_ target: Target) -> Bool {
    (lists + ["Manifest.db-wal"]).allSatisfy { name in
      var status = stat()
      guard lstat("\(target.device)/\(name)", &status) == 0 else { return true }
      return status.st_mode & S_IFMT == S_IFREG
    }
  }

  /// Writes the files anew that say what a folder holds, with nothing beside them.
  private static func restoreLists(of target: Target) throws {
    for name in lists + ["Manifest.db-wal", "Manifest.db-shm", "Manifest.db-journal"] {
      let path = "\(target.device)/\(name)"
      if unlink(path) != 0 { rmdir(path) }
      try target.original[name]?.write(to: URL(fileURLWithPath: path))
    }
  }

  /// Reads a folder, whatever comes of it.
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
      // Of what was changed then nothing is said of the app: other rows, dates, what is unused.
      if comparison.isClean { #expect(contents.records == target.records) }
      #expect(comparison.text.hasSuffix("\n"))
      #expect((try? comparison.json())?.hasPrefix("{") == true)
      let judged = BackupComparison(
        contents, with: FileTree(), domains: backup.domains, examined: [], on: profile)
      #expect(judged.text.hasSuffix("\n"))
      #expect(contents.records.keys.allSatisfy { !"/\($0.string)/".contains("/../") })
    } catch {
      tally.errors += 1
      #expect(!error.reason.isEmpty && error.description.utf8.count < 10_000)
    }
  }

  /// The names, sizes and dates of what is right in a folder, or of all files in it: what is put into
  /// a folder of it gives that a new date.
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
  /// The files that say what a folder holds.
  private static let lists = ["Manifest.db", "Manifest.plist", "Status.plist"]

  /// Changes the bytes of one of them.
  private static func change(
    _ generator: inout SeededGenerator, _ target: Target,
    _ change: (inout SeededGenerator, inout [UInt8]) -> Void
  ) throws {
    let name = lists[Int.random(in: 0..<lists.count, using: &generator)]
    let url = URL(fileURLWithPath: "\(target.device)/\(name)")
    var bytes = Array(try Data(contentsOf: url))
    guard !bytes.isEmpty else { return }
    change(&generator, &bytes)
    try Data(bytes).write(to: url)
  }

  private static func flipBits(_ generator: inout SeededGenerator, _ target: Target) throws {
    try change(&generator, target) { generator, bytes in
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    }
  }

  private static func cut(_ generator: inout SeededGenerator, _ target: Target) throws {
    try change(&generator, target) { generator, bytes in
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
    }
  }

  /// Copies a part of a file over another part of it.
  private static func splice(_ generator: inout SeededGenerator, _ target: Target) throws {
    try change(&generator, target) { generator, bytes in
      let size = Int.random(in: 1...min(512, bytes.count), using: &generator)
      let from = Int.random(in: 0...bytes.count - size, using: &generator)
      let to = Int.random(in: 0...bytes.count - size, using: &generator)
      bytes.replaceSubrange(to..<to + size, with: Array(bytes[from..<from + size]))
    }
  }

  /// Changes bits of an item's description.
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

  /// Adds items of hostile paths.
  private static func changePaths(_ generator: inout SeededGenerator, _ target: Target) throws {
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

  /// Changes the numbers that say what an item is.
  private static func changeFlags(_ generator: inout SeededGenerator, _ target: Target) throws {
    let flags = [0, 1, 2, 3, 4, 8, -1, Int.max].randomElement(using: &generator) ?? 0
    try ManifestEditing.execute("UPDATE Files SET flags = \(flags)", in: target.manifest)
  }

  /// Puts a link, a pipe or a directory in a file's place.
  private static func replaceByOddItem(
    _ generator: inout SeededGenerator, _ target: Target
  ) throws {
    let names = lists + ["Manifest.db-wal"]
    let path = "\(target.device)/\(names[Int.random(in: 0..<names.count, using: &generator)])"
    unlink(path)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: symlink("/dev/zero", path)
    case 1: mkfifo(path, 0o600)
    default: mkdir(path, 0o700)
    }
  }

  /// Replaces a property list by a text of XML that is nested, long or of other types.
  private static func growList(_ generator: inout SeededGenerator, _ target: Target) throws {
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
