import BackupContainer
import BackupFileTree

// The keyed archive in which a manifest describes an item: an object of the class `MBFile`.
extension BackupRecord {
  /// The names in every such archive.
  private static let archiver = "NSKeyedArchiver"
  private static let className = "MBFile"

  /// Returns the archive of the item at a path, with its inode and times on the disk. The date of birth is unknown.
  func archive(
    at path: String, _ observation: FileTree.Observation = FileTree.Observation(),
    permissions: UInt32? = nil
  ) -> [UInt8] {
    let second: Int64 = 1_000_000_000
    let size: Int64 = if case .file(let size) = kind { size } else { 0 }
    var objects: [PropertyList] = [.string("$null"), .null, .string(path)]
    var root: [String: PropertyList] = [
      "RelativePath": .reference(2), "Mode": .integer(mode(permissions)), "Flags": .integer(0),
      "UserID": .integer(501), "GroupID": .integer(501), "Size": .integer(size),
      "InodeNumber": .integer(Int64(clamping: observation.inode)),
      "LastModified": .integer(observation.modified / second),
      "LastStatusChange": .integer(observation.changed / second),
      "Birth": .integer(observation.modified / second),
      "ProtectionClass": .integer(isFile ? 3 : 0),
    ]
    if case .link(let target) = kind {
      root["Target"] = .reference(objects.count)
      objects.append(.string(String(decoding: target, as: UTF8.self)))
    }
    let stored = ItemAttributes.Stored.all.compactMap { stored in
      attributes[stored].map { (stored.name, PropertyList.data($0)) }
    }
    if !stored.isEmpty {
      root["ExtendedAttributes"] = .reference(objects.count)
      objects.append(
        .data(PropertyList.dictionary(Dictionary(uniqueKeysWithValues: stored)).binary))
    }
    root["$class"] = .reference(objects.count)
    objects.append(
      .dictionary([
        "$classname": .string(Self.className),
        "$classes": .array([.string(Self.className), .string("NSObject")]),
      ]))
    objects[1] = .dictionary(root)
    return PropertyList.dictionary([
      "$version": .integer(100_000), "$archiver": .string(Self.archiver),
      "$top": .dictionary(["root": .reference(1)]), "$objects": .array(objects),
    ]).binary
  }

  /// Reads an archive and the item's path in it; returns nil for bytes that are no such archive.
  static func read(archive bytes: [UInt8]) -> (record: BackupRecord, path: String?)? {
    read(bytes) { reader in reader.read() }
  }

  private static func read<Result>(
    _ bytes: [UInt8], _ body: (inout Reader) -> Result?
  ) -> Result? {
    BinaryPropertyList.read(bytes) { list in
      guard let objects = list.member("$objects", of: list.top),
        let top = list.member("$top", of: list.top), let root = list.member("root", of: top),
        case .reference(let number)? = list.value(of: root),
        let object = list.element(number, of: objects)
      else { return nil }
      var reader = Reader(list: list, objects: objects, root: object)
      return body(&reader)
    }
  }

  /// Returns the wrapped key of the item's contents; nil if the backup is not encrypted.
  static func encryptionKey(archive bytes: [UInt8]) -> [UInt8]? {
    read(bytes) { reader in reader.bytes("EncryptionKey") }
  }

  /// A reader of the values in an archive that a record needs. It skips the rest, because a manifest has an archive for
  /// each item.
  private struct Reader {
    var list: BinaryPropertyList
    /// The number of the list of objects.
    let objects: Int
    /// The number of the object that describes the item.
    let root: Int

    mutating func read() -> (record: BackupRecord, path: String?)? {
      guard let mode = value("Mode")?.integer, let kind = kind(mode) else { return nil }
      return (BackupRecord(kind, attributes: attributes), value("RelativePath")?.string)
    }

    private mutating func value(_ key: StaticString) -> PropertyList? {
      let value = list.member(key, of: root).flatMap { list.value(of: $0) }
      guard case .reference(let index)? = value else { return value }
      return list.element(index, of: objects).flatMap { list.value(of: $0) }
    }

    /// Returns the kind of an item with a mode; nil for a kind that no backup has.
    private mutating func kind(_ mode: Int64) -> BackupRecord.Kind? {
      switch mode & 0o170000 {
      case 0o100000:
        guard let size = value("Size")?.integer, size >= 0 else { return nil }
        return .file(size: size)
      case 0o040000: return .directory
      case 0o120000:
        let target = value("Target")
        guard let bytes = target?.string.map({ Array($0.utf8) }) ?? target?.data else { return nil }
        return .link(target: bytes)
      default: return nil
      }
    }

    /// Returns the bytes of a value, directly or in its `NS.data`.
    mutating func bytes(_ key: StaticString) -> [UInt8]? {
      let value = value(key)
      return value?.data ?? value?["NS.data"]?.data
    }

    /// The attributes in the list of extended attributes, which is a property list.
    private var attributes: ItemAttributes {
      mutating get {
        guard let bytes = bytes("ExtendedAttributes"),
          case .dictionary(let values)? = BinaryPropertyList.read(bytes)
        else { return .ofNewItem }
        return ItemAttributes { values.keys.contains($0) }
      }
    }
  }
}
