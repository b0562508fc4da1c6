import BackupContainer
import BackupFileTree
import BackupReports
import BackupScenarios
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupFolders

/// Folders of encrypted backups, with and without their passwords.
@Suite(.enabled(if: FolderEncryption.isPossible, "\(FolderEncryption.obstacle)"))
struct EncryptedFolderTests {
  private static let encryption = FolderEncryption(password: "pässwörd 1")

  /// Returns a backup that is encrypted after `change` has edited it.
  private static func encrypted(
    by encryption: FolderEncryption = encryption,
    _ change: (ExportedBackup) throws -> Void = { _ in }
  ) async throws -> ExportedBackup {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    try addKeys(encryption, to: backup)
    try change(backup)
    try encryption.encrypt(backup.device)
    return backup
  }

  /// Adds the key of each file to the file's description in the manifest.
  private static func addKeys(_ encryption: FolderEncryption, to backup: ExportedBackup) throws {
    let database = try SQLiteDatabase(path: "\(backup.device)/Manifest.db")
    let rows = try database.prepare("SELECT fileID, file FROM Files WHERE flags = 1")
    var descriptions: [(name: [UInt8], bytes: [UInt8])] = []
    while try rows.moveToNextRow() {
      guard case .text(let name) = rows.columnValue(0), case .blob(let bytes) = rows.columnValue(1)
      else {
        throw TestError("a row has other types")
      }
      descriptions.append((name, bytes))
    }
    let update = try database.prepare("UPDATE Files SET file = ? WHERE fileID = ?")
    for (name, bytes) in descriptions {
      guard case .dictionary(var archive)? = BinaryPropertyList.read(bytes),
        case .array(var objects)? = archive["$objects"], case .dictionary(var root) = objects[1]
      else { throw TestError("a description is no archive") }
      guard root["Size"]?.integer != 0 else { continue }
      root["EncryptionKey"] = .reference(objects.count)
      objects[1] = .dictionary(root)
      objects.append(
        .dictionary([
          "NS.data": .data(encryption.wrappedFileKey), "$class": .reference(objects.count + 1),
        ]))
      objects.append(
        .dictionary([
          "$classname": .string("NSMutableData"),
          "$classes": .array(["NSMutableData", "NSData", "NSObject"].map { .string($0) }),
        ]))
      archive["$objects"] = .array(objects)
      try update.run(.blob(PropertyList.dictionary(archive).binaryBytes), .text(name))
    }
  }

  /// Unlocks a folder and returns its contents.
  private static func contents(
    of backup: ExportedBackup, password: String = encryption.password
  ) throws -> BackupContents {
    var folder = try BackupFolder(at: backup.device)
    #expect(folder.isLocked)
    try folder.unlock(password: password)
    return try folder.contents(of: backup.domains, app: backup.app)
  }

  /// Returns the message for a folder that cannot be read; nil if it can be read.
  private static func errorMessage(
    _ backup: ExportedBackup, password: String = encryption.password
  ) throws -> String? {
    do {
      _ = try contents(of: backup, password: password)
      return nil
    } catch let error as BackupFolderError {
      return error.description
    }
  }

  @Test(arguments: [false, true])
  func `with its password, an encrypted backup is read like a plain one`(isOld: Bool) async throws {
    let encryption = FolderEncryption(password: "secret", isOld: isOld)
    let plain = try await ExportedBackup(of: try Sample.scenario()).comparison()
    let backup = try await Self.encrypted(by: encryption)
    let contents = try Self.contents(of: backup, password: "secret")
    #expect(contents.records == plain.contents.records)
    #expect(contents.faults.isEmpty)
    #expect(Set(contents.filesWithoutContents.values) == [.encrypted])
    let comparison = BackupComparison(
      contents, with: backup.tree, domains: backup.domains, examined: Set(backup.domains),
      on: plain.profile)
    #expect(comparison.text == plain.text)
    if let place = ProcessInfo.processInfo.environment["KEPT_FOLDER"], !isOld {
      try FileManager.default.copyItem(atPath: backup.device, toPath: place)
    }
  }

  @Test func `a manifest in the format with a log is read without a log`() async throws {
    let backup = try await Self.encrypted { backup in
      let database = try SQLiteDatabase(path: "\(backup.device)/Manifest.db")
      _ = try database.prepare("PRAGMA journal_mode = WAL").moveToNextRow()
    }
    #expect(!(try Self.contents(of: backup).records.isEmpty))
  }

  @Test func `a decrypted manifest is read, even if Manifest.plist says that it is encrypted`()
    async throws
  {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    let plain = try backup.comparison().text
    try Self.encryption.writeList(in: backup.device)
    #expect(!(try BackupFolder(at: backup.device).isLocked))
    #expect(try backup.comparison().text == plain)
    let app = try BackupFolder(at: backup.device).restorableContents(
      backup.domains, app: backup.app)
    #expect(!app.files.isEmpty)
  }

  @Test func `an encrypted file that lacks a block is missing`() async throws {
    let backup = try await Self.encrypted()
    let url = backup.contents(of: "Documents/list.json")
    try (try Data(contentsOf: url) + Data(count: 16)).write(to: url)
    let contents = try Self.contents(of: backup)
    #expect(
      contents.filesWithoutContents[try ContainerPath("Documents/list.json")] == .fileOfSize(32))
  }

  @Test func `without the password nothing is read, and the message says what to do`() async throws
  {
    let backup = try await Self.encrypted()
    let error = #expect(throws: BackupFolderError.self) { try backup.comparison() }
    #expect(error?.reason.hasPrefix("the backup is encrypted, so its manifest") == true)
    #expect(error?.reason.contains("decrypt it first, or take a backup") == true)
  }

  @Test func `a list that the app has written is decrypted`() async throws {
    let list = "# container-list 1 com.example.app 26\nDocuments/a\tf\t1\t\t1\t\n"
    let backup = try await ExportedBackup(
      of: try Trial.scenario([
        "{ save: 'Documents/container.list', contents: '\(list.replacing("\n", with: "\\n"))' }",
        "{ backup: 'a' }",
      ]))
    func bytes(_ folder: BackupFolder) throws -> [UInt8]? {
      let contents = try folder.contents(of: backup.domains, app: backup.app)
      return try folder.bytes(ofList: ContainerList.firstListPath, in: backup.domains[0], contents)
    }
    #expect(try bytes(try BackupFolder(at: backup.device)) == Array(list.utf8))
    #expect(try BackupFolder(at: backup.device).appsWithContainerList() == [backup.app])
    try Self.addKeys(Self.encryption, to: backup)
    try Self.encryption.encrypt(backup.device)
    var folder = try BackupFolder(at: backup.device)
    try folder.unlock(password: Self.encryption.password)
    #expect(try bytes(folder) == Array(list.utf8))
    #expect(try folder.appsWithContainerList() == [backup.app])
    // A key of another class, an empty key and a missing key are errors.
    var contents = try folder.contents(of: backup.domains, app: backup.app)
    #expect(contents.wrappedListKeys[ContainerList.firstListPath] == Self.encryption.wrappedFileKey)
    for key in [[9] + Self.encryption.wrappedFileKey.dropFirst(), [], nil] {
      contents.wrappedListKeys[ContainerList.firstListPath] = key
      let error = #expect(throws: BackupFolderError.self) {
        try folder.bytes(ofList: ContainerList.firstListPath, in: backup.domains[0], contents)
      }
      #expect(
        error?.description.contains("AppDomain-com.example.app/Documents/container.list: ") == true)
      #expect(error?.reason.hasPrefix("cannot be decrypted: its key is missing or damaged") == true)
    }
    let url = backup.contents(of: "Documents/container.list")
    try Data(count: 96).write(to: url)
    let error = #expect(throws: BackupFolderError.self) { try bytes(folder) }
    #expect(error?.reason.contains(" bytes, and the folder 96; ") == true, "\(error as Any)")
    // Without its contents, the list is missing.
    try FileManager.default.removeItem(at: url)
    #expect(try bytes(folder) == nil)
  }

  @Test func `encrypted files are not restored`() async throws {
    let backup = try await Self.encrypted()
    var folder = try BackupFolder(at: backup.device)
    try folder.unlock(password: Self.encryption.password)
    let error = #expect(throws: BackupFolderError.self) {
      try folder.restorableContents(backup.domains, app: backup.app)
    }
    #expect(error?.reason.hasSuffix("the file is encrypted") == true)
  }

  @Test func `a wrong password is an error that gives no details`() async throws {
    let backup = try await Self.encrypted()
    for password in ["pässwörd", "", "pässwörd 1 ", "PÄSSWÖRD 1"] {
      let errorMessage = try Self.errorMessage(backup, password: password)
      #expect(
        errorMessage?.hasSuffix(
          "Manifest.plist: the password is wrong, or the key bag is damaged") == true,
        "\(password)")
    }
  }

  /// Key bags with another value of an item, or without it, each with a part of the message.
  private static let hostileItems: [(tag: String, value: [UInt8]?, words: String)] = [
    ("SALT", [], "'SALT' is missing, or has not 1 to 1024 bytes"),
    ("SALT", nil, "'SALT' is missing"),
    ("DPSL", [UInt8](repeating: 1, count: 1025), "'DPSL' is missing, or has not 1 to 1024 bytes"),
    ("ITER", [0, 0, 0, 0], "'ITER' is missing, or is not a number from 1 to 20000000"),
    ("ITER", [1, 0x31, 0x2D, 0x01], "'ITER' is missing, or is not a number"),
    ("ITER", [1], "'ITER' is missing, or is not a number"),
    ("DPIC", [0xFF, 0xFF, 0xFF, 0xFF], "'DPIC' is missing, or is not a number"),
    ("DPIC", nil, "'DPIC' is missing, or is not a number"),
    ("WPKY", [1], "it has no key for the manifest's class of data"),
    ("WRAP", [0, 0, 0, 1], "it has no key for the manifest's class of data"),
    ("CLAS", [0, 0, 0, 40], "it has no key for the manifest's class of data"),
  ]

  @Test func `a hostile key bag is an error before the password is needed`() async throws {
    let backup = try await Self.encrypted()
    for (tag, value, words) in Self.hostileItems {
      var encryption = Self.encryption
      encryption.bag = encryption.bag.compactMap { item in
        item.tag == tag ? value.map { (tag, $0) } : item
      }
      try encryption.writeList(in: backup.device)
      let error = #expect(throws: BackupFolderError.self) { try BackupFolder(at: backup.device) }
      #expect(
        error?.reason.hasPrefix("the key bag is damaged: \(words)") == true, "\(error as Any)")
      #expect(error?.path.hasSuffix("Manifest.plist") == true)
    }
  }

  @Test func `a key bag that ends too early, or never, is an error`() async throws {
    let backup = try await Self.encrypted()
    let wholeKeyBag = Self.encryption.bagBytes
    let classKeys = Array("UUID".utf8) + [0, 0, 0, 0]
    for (bag, words) in [
      (wholeKeyBag.dropLast(), "the value at byte"),
      (wholeKeyBag + [1, 2, 3], "the value at byte"),
      (wholeKeyBag + Array("SALT".utf8) + [0xFF, 0xFF, 0xFF, 0xFF], "the value at byte"),
      (
        wholeKeyBag + Array(repeatElement(classKeys, count: 90).joined()),
        "more than 100 class keys"
      ),
      (wholeKeyBag + [UInt8](repeating: 0, count: 100_000), "'BackupKeyBag' or 'ManifestKey'"),
      ([], "'SALT' is missing"),
    ] as [([UInt8], String)] {
      try Self.encryption.writeList(in: backup.device, bag: bag)
      let error = #expect(throws: BackupFolderError.self) { try BackupFolder(at: backup.device) }
      #expect(error?.reason.contains(words) == true, "\(error as Any)")
    }
  }

  @Test func `a manifest that is cut or replaced is damaged`() async throws {
    let backup = try await Self.encrypted()
    let url = URL(fileURLWithPath: "\(backup.device)/Manifest.db")
    let bytes = try Data(contentsOf: url)
    // A manifest of the same size with other contents.
    let otherManifest = Self.encryption.encrypted(
      manifest: Array(repeating: 1, count: bytes.count - 16))
    for size in [0, 7, 4096, -1] {
      try (size < 0 ? Data(otherManifest) : bytes.prefix(size)).write(to: url)
      let errorMessage = try Self.errorMessage(backup)
      #expect(errorMessage?.contains("Manifest.db: ") == true, "\(errorMessage ?? "nothing")")
      if size < 4096 { #expect(errorMessage?.contains("is damaged: decrypted, it is not") == true) }
    }
  }

  @Test func `a thousand changed key bags are read or refused, and change nothing`() async throws {
    let backup = try await Self.encrypted()
    let original = Self.encryption.bagBytes
    var generator = SeededGenerator(seed: 1)
    var (opened, refused, notUnlocked) = (0, 0, 0)
    for _ in 0..<1000 {
      let bag = Self.randomlyChanged(original, &generator)
      try Self.encryption.writeList(in: backup.device, bag: bag)
      let before = try Self.state(of: backup.device)
      do throws(BackupFolderError) {
        var folder = try BackupFolder(at: backup.device)
        // A changed bag may demand so many iterations that unlocking takes a minute. It is skipped
        // here.
        guard let keyBag = folder.keyBag,
          keyBag.derivations.allSatisfy({ $0.iterationCount <= 1000 })
        else { continue }
        do throws(BackupFolderError) {
          try folder.unlock(password: Self.encryption.password)
          _ = try folder.contents(of: backup.domains, app: backup.app)
          opened += 1
        } catch {
          notUnlocked += 1
          let reasons = ["the password is wrong, or the key bag is damaged"]
          #expect(
            (reasons + ["'ManifestKey' is damaged; take the backup again"]).contains(error.reason))
        }
      } catch {
        refused += 1
        #expect(error.reason.contains("the key bag is damaged: "), "\(error)")
      }
      #expect(try Self.state(of: backup.device) == before)
    }
    #expect(
      opened > 100 && refused > 100 && notUnlocked > 20, "\(opened) \(refused) \(notUnlocked)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: backup.place.path) == ["backup"])
  }

  /// Returns the bytes after a random change of some bytes, a cut, or a copy of one part over
  /// another.
  private static func randomlyChanged(
    _ bytes: [UInt8], _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = bytes
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
    case 1:
      let size = Int.random(in: 1...100, using: &generator)
      let sourceStart = Int.random(in: 0...bytes.count - size, using: &generator)
      let targetStart = Int.random(in: 0...bytes.count - size, using: &generator)
      bytes.replaceSubrange(
        targetStart..<targetStart + size, with: Array(bytes[sourceStart..<sourceStart + size]))
    default:
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
      }
    }
    return bytes
  }

  /// Returns the name, size and date of each item at the top of a folder.
  private static func state(of folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      return "\(name) \(attributes[.size] ?? 0) \(attributes[.modificationDate] ?? 0)"
    }
  }
}
