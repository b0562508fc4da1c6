import CBackupCrypto
public import Foundation

/// Encrypts backup folders as a phone does, by the machine's own library.
public struct FolderEncryption: Sendable {
  /// The values of the key bag by their tags.
  public var bag: [(tag: String, value: [UInt8])] = []
  /// What opens the key bag.
  public let password: String
  private let classKey: [UInt8]
  private let manifestKey = Self.key(2)
  private let fileKey = Self.key(3)

  /// Whether the machine has what encrypts.
  public static let isPossible = ccr_is_there() == 1
  /// What is said if it has not.
  public static let obstacle = "SKIPPED: there is no library that encrypts"

  /// The class of data whose key wraps those of the manifest and the files.
  private static let classNumber: UInt32 = 3

  /// Encryption by a password, on request as before iOS 10.2.
  public init(password: String, isOld: Bool = false) {
    self.password = password
    let (salt, outerSalt) = ([UInt8](repeating: 5, count: 20), [UInt8](repeating: 6, count: 20))
    var key = Array(password.utf8)
    if !isOld { key = Self.derive(CCR_SHA256, key, outerSalt, 30) }
    key = Self.derive(CCR_SHA1, key, salt, 20)
    classKey = Self.key(1)
    bag = [
      ("VERS", Self.number(isOld ? 3 : 5)), ("TYPE", Self.number(1)), ("UUID", Self.identifier(0)),
      ("HMCK", Array(repeating: 7, count: 40)), ("WRAP", Self.number(1)), ("SALT", salt),
      ("ITER", Self.number(20)),
    ]
    if !isOld {
      bag += [("DPWT", Self.number(1)), ("DPIC", Self.number(30)), ("DPSL", outerSalt)]
    }
    for number: UInt32 in 1...11 {
      let own = number == Self.classNumber ? classKey : Self.key(UInt8(number) + 50)
      bag += [
        ("UUID", Self.identifier(UInt8(number))), ("CLAS", Self.number(number)),
        ("WRAP", Self.number(2)), ("KTYP", Self.number(0)),
        ("WPKY", Self.wrap(own, by: key)),
      ]
    }
  }

  /// The key bag as the list has it.
  public var bagBytes: [UInt8] {
    bag.flatMap { Array($0.tag.utf8) + Self.number(UInt32($0.value.count)) + $0.value }
  }

  /// The key of each file, as its description has it.
  public var wrappedFileKey: [UInt8] { wrapped(fileKey) }

  private func wrapped(_ key: [UInt8]) -> [UInt8] {
    Self.number(Self.classNumber).reversed() + Self.wrap(key, by: classKey)
  }

  /// Encrypts the manifest of a device's folder and what it holds of files, and says so in its list.
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

  /// Writes the key bag and the manifest's key into the list of a device's folder.
  public func writeList(in device: String, bag: [UInt8]? = nil) throws {
    let url = URL(fileURLWithPath: "\(device)/Manifest.plist")
    let list = try PropertyListSerialization.propertyList(
      from: try Data(contentsOf: url), options: [], format: nil)
    guard var values = list as? [String: Any] else { throw TestError("it is no dictionary") }
    values["IsEncrypted"] = true
    values["BackupKeyBag"] = Data(bag ?? bagBytes)
    values["ManifestKey"] = Data(wrapped(manifestKey))
    try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
      .write(to: url)
  }

  /// Encrypts the manifest alone, after it was changed.
  public func encrypted(manifest: [UInt8]) -> [UInt8] { encrypted(manifest, by: manifestKey) }

  /// Fills bytes up to whole blocks, as RFC 5652 has it, and encrypts them.
  private func encrypted(_ bytes: [UInt8], by key: [UInt8]) -> [UInt8] {
    let missing = 16 - bytes.count % 16
    let whole = bytes + Array(repeating: UInt8(missing), count: missing)
    var result = [UInt8](repeating: 0, count: whole.count)
    precondition(ccr_crypt(CCR_ENCRYPT, key, whole, whole.count, &result) == 1)
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

  private static func wrap(_ key: [UInt8], by wrapping: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 40)
    precondition(ccr_wrap(CCR_ENCRYPT, wrapping, key, &result) == 1)
    return result
  }

  private static func key(_ seed: UInt8) -> [UInt8] { (0..<32).map { $0 &* 7 &+ seed } }

  private static func identifier(_ seed: UInt8) -> [UInt8] { Array(repeating: seed, count: 16) }

  private static func number(_ number: UInt32) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
