import BackupFileTree
import CBackupCrypto

/// The *key bag* in the `Manifest.plist` of an encrypted backup.
///
/// It has a key for each class of data. A key derived from the password encrypts (*wraps*) these
/// class keys. A class key in turn wraps the key of `Manifest.db`.
struct KeyBag: Sendable {
  /// The values of a key bag, by their tags of four letters.
  private typealias Values = [String: [UInt8]]

  /// A step in the derivation of a key from the password.
  struct Derivation: Sendable {
    let hash: ccr_hash
    let salt: [UInt8]
    let iterationCount: UInt32
  }

  /// The path of `Manifest.plist`.
  private let file: String
  let derivations: [Derivation]
  /// The wrapped keys of the classes of data, by the numbers of the classes.
  private let wrappedClassKeys: [Int: [UInt8]]
  private let wrappedManifestKey: [UInt8]

  /// The unwrapped keys of the classes of data, by the numbers of the classes, and the key of
  /// `Manifest.db`.
  struct Keys: Sendable {
    fileprivate var classKeys: [Int: [UInt8]] = [:]
    fileprivate(set) var manifestKey: [UInt8] = []

    /// Unwraps a key with the key of its class. The wrapped key begins with the
    /// number of the class in four bytes, lowest byte first. Returns nil if the key cannot be
    /// unwrapped.
    func unwrap(_ wrappedKey: [UInt8]) -> [UInt8]? {
      guard wrappedKey.count == 4 + CCR_WRAPPED_KEY_SIZE,
        let classKey = KeyBag.number(wrappedKey.prefix(4).reversed()).flatMap({ classKeys[$0] })
      else { return nil }
      return KeyBag.unwrap(Array(wrappedKey.dropFirst(4)), by: classKey)
    }
  }

  private static let maximumBagSize = 100_000
  private static let maximumClassKeyCount = 100
  private static let maximumSaltSize = 1024
  /// Twice the number of iterations that iOS uses.
  private static let maximumIterationCount = 20_000_000

  /// Reads the key bag from the contents of `Manifest.plist`, which may be from an untrusted
  /// source.
  init(_ list: PropertyList, at file: String) throws(BackupFolderError) {
    guard ccr_is_there() == 1 else {
      throw BackupFolderError(
        file,
        "the backup is encrypted, and OpenSSL, which decrypts it, is missing on this machine; "
          + "install it so that \(String(cString: ccr_library_names())) can be loaded")
    }
    guard let bytes = list["BackupKeyBag"]?.data, bytes.count <= Self.maximumBagSize,
      let manifestKey = list["ManifestKey"]?.data, manifestKey.count == 4 + CCR_WRAPPED_KEY_SIZE
    else {
      throw BackupFolderError(
        file,
        "the backup is encrypted, but its 'BackupKeyBag' or 'ManifestKey' is missing or has an "
          + "unexpected size; take the backup again")
    }
    let (header, classKeys) = try Self.values(of: bytes, at: file)
    var derivations: [Derivation] = []
    // Backups before iOS 10.2 have only the second derivation.
    if header["DPSL"] != nil {
      derivations.append(try Self.derivation(CCR_SHA256, "DPSL", "DPIC", of: header, at: file))
    }
    derivations.append(try Self.derivation(CCR_SHA1, "SALT", "ITER", of: header, at: file))
    // The flag 2 says that the password wraps a key. Other keys may need the device's own key.
    let wrapped = classKeys.compactMap { values -> (Int, [UInt8])? in
      guard let number = Self.number(values["CLAS"]), let flags = Self.number(values["WRAP"]),
        flags & 2 != 0, let key = values["WPKY"], key.count == CCR_WRAPPED_KEY_SIZE
      else { return nil }
      return (number, key)
    }
    self.file = file
    self.derivations = derivations
    self.wrappedClassKeys = Dictionary(wrapped) { first, _ in first }
    self.wrappedManifestKey = manifestKey
    guard Self.number(manifestKey.prefix(4).reversed()).flatMap({ wrappedClassKeys[$0] }) != nil
    else {
      throw Self.damageError("it has no key for the manifest's class of data", at: file)
    }
  }

  /// Unwraps the keys with the password.
  func keys(password: String) throws(BackupFolderError) -> Keys {
    var key = Array(password.utf8)
    for derivation in derivations {
      var derived = [UInt8](repeating: 0, count: CCR_KEY_SIZE)
      guard
        ccr_derive(
          derivation.hash, key, key.count, derivation.salt, derivation.salt.count,
          derivation.iterationCount, &derived) == 1
      else {
        throw BackupFolderError(file, "the system's library cannot derive a key from the password")
      }
      key = derived
    }
    var keys = Keys()
    keys.classKeys = wrappedClassKeys.compactMapValues { Self.unwrap($0, by: key) }
    if keys.classKeys.isEmpty {
      throw BackupFolderError(file, "the password is wrong, or the key bag is damaged")
    }
    guard let manifestKey = keys.unwrap(wrappedManifestKey) else {
      throw BackupFolderError(file, "'ManifestKey' is damaged; take the backup again")
    }
    keys.manifestKey = manifestKey
    return keys
  }

  private static func unwrap(_ wrapped: [UInt8], by key: [UInt8]) -> [UInt8]? {
    var result = [UInt8](repeating: 0, count: CCR_KEY_SIZE)
    return ccr_wrap(CCR_DECRYPT, key, wrapped, &result) == 1 ? result : nil
  }

  /// Decrypts whole blocks. Returns nil if the last block is incomplete.
  static func decrypt(_ bytes: [UInt8], by key: [UInt8]) -> [UInt8]? {
    var result = [UInt8](repeating: 0, count: bytes.count)
    return ccr_crypt(CCR_DECRYPT, key, bytes, bytes.count, &result) == 1 ? result : nil
  }

  /// Parses a key bag, which is a sequence of values. Each has a tag of four letters, its length
  /// and its bytes. The first `UUID` identifies the key bag itself. Each other `UUID` begins the
  /// values of a class.
  private static func values(
    of bytes: [UInt8], at file: String
  ) throws(BackupFolderError) -> (header: Values, classKeys: [Values]) {
    var (header, classKeys): (Values, [Values]) = ([:], [])
    var remaining = bytes[...]
    while !remaining.isEmpty {
      guard let size = number(remaining.dropFirst(4).prefix(4)), size <= remaining.count - 8 else {
        throw damageError("the value at byte \(remaining.startIndex) ends after the end", at: file)
      }
      let tag = String(decoding: remaining.prefix(4), as: UTF8.self)
      let value = Array(remaining.dropFirst(8).prefix(size))
      remaining = remaining.dropFirst(8 + size)
      if tag == "UUID", header[tag] != nil { classKeys.append([:]) }
      guard classKeys.count <= maximumClassKeyCount else {
        throw damageError("it has more than \(maximumClassKeyCount) class keys", at: file)
      }
      if classKeys.isEmpty {
        header[tag] = value
      } else {
        classKeys[classKeys.count - 1][tag] = value
      }
    }
    return (header, classKeys)
  }

  private static func derivation(
    _ hash: ccr_hash, _ saltTag: String, _ countTag: String, of header: Values, at file: String
  ) throws(BackupFolderError) -> Derivation {
    guard let bytes = header[saltTag], (1...maximumSaltSize).contains(bytes.count) else {
      throw damageError(
        "'\(saltTag)' is missing, or has not 1 to \(maximumSaltSize) bytes", at: file)
    }
    guard let count = number(header[countTag]), (1...maximumIterationCount).contains(count) else {
      throw damageError(
        "'\(countTag)' is missing, or is not a number from 1 to \(maximumIterationCount)",
        at: file)
    }
    return Derivation(hash: hash, salt: bytes, iterationCount: UInt32(count))
  }

  /// Returns the number in four bytes, highest byte first. Returns nil if there are more or fewer
  /// bytes.
  private static func number(_ bytes: (some Collection<UInt8>)?) -> Int? {
    guard let bytes, bytes.count == 4 else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  private static func damageError(_ reason: String, at file: String) -> BackupFolderError {
    BackupFolderError(file, "the key bag is damaged: \(reason); take the backup again")
  }
}
