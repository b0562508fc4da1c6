import CBackupCrypto
import Foundation

/// Encrypts a device's backup folder as an iPhone does, with a library of the machine.
public struct FolderEncryption: Sendable {
  /// The entries of the key bag, each with a tag of four letters, for example `SALT`.
  public var bag: [(tag: String, value: [UInt8])] = []
  /// The password that opens the key bag.
  public let password: String
  private let classKey: [UInt8]
  private let manifestKey = Self.key(2)
  private let fileKey = Self.key(3)

  /// Whether the machine has a library that encrypts.
  public static let isPossible = ccr_is_there() == 1
  /// The message of a skipped test if the machine has no library that encrypts.
  public static let obstacle = "SKIPPED: there is no library that encrypts"

  /// The protection class whose key wraps the keys of the manifest and the files.
  private static let protectionClass: UInt32 = 3

  /// Creates fixed keys, and a key bag that the password opens.
  ///
  /// - Parameters:
  ///   - password: The password that opens the key bag.
  ///   - isOld: Whether the key bag has the format of iOS before 10.2. That format derives the key
  ///     from the password in one step. The later format adds a step before it, with SHA-256.
  public init(password: String, isOld: Bool = false) {
    self.password = password
    let (sha1Salt, sha256Salt) = (
      [UInt8](repeating: 5, count: 20), [UInt8](repeating: 6, count: 20)
    )
    var key = Array(password.utf8)
    if !isOld { key = Self.derive(CCR_SHA256, key, sha256Salt, 30) }
    key = Self.derive(CCR_SHA1, key, sha1Salt, 20)
    classKey = Self.key(1)
    bag = [
      ("VERS", Self.bigEndian(isOld ? 3 : 5)), ("TYPE", Self.bigEndian(1)),
      ("UUID", Self.identifier(0)),
      ("HMCK", Array(repeating: 7, count: 40)), ("WRAP", Self.bigEndian(1)), ("SALT", sha1Salt),
      ("ITER", Self.bigEndian(20)),
    ]
    if !isOld {
      bag += [("DPWT", Self.bigEndian(1)), ("DPIC", Self.bigEndian(30)), ("DPSL", sha256Salt)]
    }
    for classNumber: UInt32 in 1...11 {
      let unwrapped =
        classNumber == Self.protectionClass ? classKey : Self.key(UInt8(classNumber) + 50)
      bag += [
        ("UUID", Self.identifier(UInt8(classNumber))), ("CLAS", Self.bigEndian(classNumber)),
        ("WRAP", Self.bigEndian(2)), ("KTYP", Self.bigEndian(0)),
        ("WPKY", Self.wrap(unwrapped, by: key)),
      ]
    }
  }

  /// The key bag as `Manifest.plist` contains it: each tag, then the length and the value.
  public var bagBytes: [UInt8] {
    bag.flatMap { Array($0.tag.utf8) + Self.bigEndian(UInt32($0.value.count)) + $0.value }
  }

  /// The wrapped key of each file, as the file's entry in the manifest contains it.
  public var wrappedFileKey: [UInt8] { wrapped(fileKey) }

  private func wrapped(_ key: [UInt8]) -> [UInt8] {
    Self.bigEndian(Self.protectionClass).reversed() + Self.wrap(key, by: classKey)
  }

  /// Encrypts the files and `Manifest.db` of a device's folder, and updates `Manifest.plist`.
  public func encrypt(_ device: String) throws {
    let folder = URL(fileURLWithPath: device)
    for name in try FileManager.default.subpathsOfDirectory(atPath: device) {
      let url = folder.appendingPathComponent(name)
      guard name.contains("/"), case let bytes = Array(try Data(contentsOf: url)), !bytes.isEmpty
      else { continue }
      try Data(encrypted(bytes, by: fileKey)).write(to: url)
    }
    let manifest = folder.appendingPathComponent("Manifest.db")
    try Data(encrypted(Array(try Data(contentsOf: manifest)), by: manifestKey)).write(to: manifest)
    try writeList(in: device)
  }

  /// Writes a key bag and the manifest's key into `Manifest.plist` of a device's folder.
  ///
  /// - Parameters:
  ///   - device: The path of the device's folder.
  ///   - bag: The bytes of the key bag; nil for `bagBytes`.
  /// - Throws: An error if `Manifest.plist` cannot be read or written.
  public func writeList(in device: String, bag: [UInt8]? = nil) throws {
    let url = URL(fileURLWithPath: "\(device)/Manifest.plist")
    let list = try PropertyListSerialization.propertyList(
      from: try Data(contentsOf: url), options: [], format: nil)
    guard var entries = list as? [String: Any] else { throw TestError("it is no dictionary") }
    entries["IsEncrypted"] = true
    entries["BackupKeyBag"] = Data(bag ?? bagBytes)
    entries["ManifestKey"] = Data(wrapped(manifestKey))
    try PropertyListSerialization.data(fromPropertyList: entries, format: .binary, options: 0)
      .write(to: url)
  }

  /// Encrypts the bytes of a manifest that a test has changed.
  public func encrypted(manifest: [UInt8]) -> [UInt8] { encrypted(manifest, by: manifestKey) }

  /// Pads bytes to blocks of 16 bytes, as in RFC 5652, section 6.3, and encrypts them.
  private func encrypted(_ bytes: [UInt8], by key: [UInt8]) -> [UInt8] {
    let paddingLength = 16 - bytes.count % 16
    let padded = bytes + Array(repeating: UInt8(paddingLength), count: paddingLength)
    var result = [UInt8](repeating: 0, count: padded.count)
    precondition(ccr_crypt(CCR_ENCRYPT, key, padded, padded.count, &result) == 1)
    return result
  }

  private static func derive(
    _ hash: ccr_hash, _ password: [UInt8], _ salt: [UInt8], _ iterations: UInt32
  ) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: 32)
    precondition(
      ccr_derive(hash, password, password.count, salt, salt.count, iterations, &key) == 1)
    return key
  }

  private static func wrap(_ key: [UInt8], by wrappingKey: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 40)
    precondition(ccr_wrap(CCR_ENCRYPT, wrappingKey, key, &result) == 1)
    return result
  }

  /// A fixed key for each seed.
  private static func key(_ seed: UInt8) -> [UInt8] { (0..<32).map { $0 &* 7 &+ seed } }

  /// A fixed UUID for each seed.
  private static func identifier(_ seed: UInt8) -> [UInt8] { Array(repeating: seed, count: 16) }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
