import BackupContainer
import BackupFileTree

// A manifest describes each item in a keyed archive: an object of the class `MBFile`.
extension BackupRecord {
  /// The names in every archive of an item.
  private static let archiver = "NSKeyedArchiver"
  private static let className = "MBFile"

  /// Returns the archive of the item at a path, with the item's inode and times on the disk. The
  /// date of birth is unknown, so the archive has the date of modification instead.
  func archive(
    at path: String, _ observation: FileTree.Observation = FileTree.Observation(),
    permissions: UInt32? = nil
  ) -> [UInt8] {
    let nanosecondsPerSecond: Int64 = 1_000_000_000
    let size: Int64 = if case .file(let size) = kind { size } else { 0 }
    var objects: [PropertyList] = [.string("$null"), .null, .string(path)]
    var root: [String: PropertyList] = [
      "RelativePath": .reference(2), "Mode": .integer(mode(permissions)), "Flags": .integer(0),
      "UserID": .integer(501), "GroupID": .integer(501), "Size": .integer(size),
      "InodeNumber": .integer(Int64(clamping: observation.inode)),
      "LastModified": .integer(observation.modified / nanosecondsPerSecond),
      "LastStatusChange": .integer(observation.changeTime / nanosecondsPerSecond),
      "Birth": .integer(observation.modified / nanosecondsPerSecond),
      "ProtectionClass": .integer(isFile ? 3 : 0),
    ]
    if case .link(let target) = kind {
      root["Target"] = .reference(objects.count)
      objects.append(.string(String(decoding: target, as: UTF8.self)))
    }
    let valuesByName = ItemAttributes.ExtendedAttribute.all.compactMap { attribute in
      attributes[attribute].map { (attribute.name, PropertyList.data($0)) }
    }
    if !valuesByName.isEmpty {
      root["ExtendedAttributes"] = .reference(objects.count)
      objects.append(
        .data(PropertyList.dictionary(Dictionary(uniqueKeysWithValues: valuesByName)).binaryBytes))
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
    ]).binaryBytes
  }

  /// Reads the record and the path of an item from an archive. Returns nil for bytes that are not
  /// an archive of an item.
  static func read(archive bytes: [UInt8]) -> (record: BackupRecord, path: String?)? {
    read(bytes) { reader in reader.readRecord() }
  }

  /// Calls `body` with a reader of the archive. Returns nil for bytes that are not an archive of an
  /// item.
  private static func read<Result>(
    _ bytes: [UInt8], _ body: (inout Reader) -> Result?
  ) -> Result? {
    BinaryPropertyList.read(bytes) { list in
      guard let objects = list.memberIndex("$objects", of: list.topObjectIndex),
        let top = list.memberIndex("$top", of: list.topObjectIndex),
        let root = list.memberIndex("root", of: top),
        case .reference(let number)? = list.value(of: root),
        let object = list.elementIndex(number, of: objects)
      else { return nil }
      var reader = Reader(list: list, objectListNumber: objects, itemNumber: object)
      return body(&reader)
    }
  }

  /// Returns the wrapped key of the item's contents, or nil if the archive has none.
  static func encryptionKey(archive bytes: [UInt8]) -> [UInt8]? {
    read(bytes) { reader in reader.bytes("EncryptionKey") }
  }

  /// A reader of the values that a record needs. It skips all other values to save time, because a
  /// manifest has an archive for each item.
  private struct Reader {
    var list: BinaryPropertyList
    /// The object number of the list `$objects`.
    let objectListNumber: Int
    /// The object number of the item's description.
    let itemNumber: Int

    mutating func readRecord() -> (record: BackupRecord, path: String?)? {
      guard let mode = value("Mode")?.integer, let kind = kind(mode) else { return nil }
      return (BackupRecord(kind, attributes: attributes), value("RelativePath")?.string)
    }

    /// Returns the value for a key of the item. If the value is a reference, returns the object
    /// that it refers to.
    private mutating func value(_ key: StaticString) -> PropertyList? {
      let value = list.memberIndex(key, of: itemNumber).flatMap { list.value(of: $0) }
      guard case .reference(let index)? = value else { return value }
      return list.elementIndex(index, of: objectListNumber).flatMap { list.value(of: $0) }
    }

    /// Returns the kind of an item with a mode. Returns nil for a kind that no backup
    /// contains, for a file without a size, and for a link without a target.
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

    /// Returns the bytes of the value for a key: the value itself, or its `NS.data`.
    mutating func bytes(_ key: StaticString) -> [UInt8]? {
      let value = value(key)
      return value?.data ?? value?["NS.data"]?.data
    }

    /// The item's attributes, from the property list of its extended attributes.
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
