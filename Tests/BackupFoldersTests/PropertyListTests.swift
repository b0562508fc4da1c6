import Foundation
import TestSupport
import Testing

@testable import BackupFileTree
@testable import BackupFolders

/// Property lists in backups are read and written.
@Suite struct PropertyListTests {
  /// A list with a value of each kind.
  private static let sample = PropertyList.dictionary([
    "text": .string("list"), "odd": .string("映画 🎬 \u{1}"),
    "long": .string(String(repeating: "x", count: 70_000)),
    "number": .integer(-7), "large": .integer(.max), "yes": .boolean(true), "no": .boolean(false),
    "bytes": .data([0, 255, 1]), "real": .real(0.5), "date": .date(700_000_000),
    "list": .array((0..<300).map { .integer($0) }), "empty": .dictionary([:]),
  ])

  @Test func `a written list is read again`() {
    #expect(BinaryPropertyList.read(Self.sample.binaryBytes) == Self.sample)
    let reference = PropertyList.array([.reference(5), .null])
    #expect(BinaryPropertyList.read(reference.binaryBytes) == reference)
  }

  @Test func `Foundation reads a written list`() throws {
    let list = try PropertyListSerialization.propertyList(
      from: Data(Self.sample.binaryBytes), options: [], format: nil)
    let values = try #require(list as? [String: Any])
    #expect(values["odd"] as? String == "映画 🎬 \u{1}")
    #expect(values["large"] as? Int64 == .max)
    #expect(values["bytes"] as? Data == Data([0, 255, 1]))
    #expect(values["date"] as? Date == Date(timeIntervalSinceReferenceDate: 700_000_000))
    #expect((values["list"] as? [Int])?.count == 300)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func `a list that Foundation wrote is read`(format: PropertyListSerialization.PropertyListFormat)
    throws
  {
    let folder = try TestFolder()
    let values: [String: Any] = [
      "text": "list", "odd": "映画 🎬", "number": -7, "yes": true, "bytes": Data([0, 255]),
      "list": Array(0..<300), "date": Date(timeIntervalSinceReferenceDate: 700_000_000),
      "real": 0.5,
    ]
    let data = try PropertyListSerialization.data(
      fromPropertyList: values, format: format, options: 0)
    try folder.write(data, to: "list.plist")
    let list = try PropertyList.read(at: folder.url("list.plist").path)
    #expect(list["text"] == .string("list"))
    #expect(list["odd"] == .string("映画 🎬"))
    #expect(list["number"] == .integer(-7))
    #expect(list["yes"]?.isTrue == true)
    #expect(list["bytes"] == .data([0, 255]))
    #expect(list["list"] == .array((0..<300).map { .integer($0) }))
    #expect(list["date"] == .date(700_000_000))
    #expect(list["real"] == .real(0.5))
  }

  @Test func `a list that contains itself is refused`() {
    // An array whose only element is the array itself.
    let bytes: [UInt8] =
      Array("bplist00".utf8) + [0xA1, 0, 8] + [0, 0, 0, 0, 0, 0, 1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(BinaryPropertyList.read(bytes) == nil)
  }

  @Test func `a list has at most as many objects as the limit`() {
    func list(ofObjects count: Int) -> PropertyList? {
      BinaryPropertyList.read(
        PropertyList.array(Array(repeating: .null, count: count - 1)).binaryBytes)
    }
    #expect(list(ofObjects: BinaryPropertyList.maximumObjectCount) != nil)
    #expect(list(ofObjects: BinaryPropertyList.maximumObjectCount + 1) == nil)
  }

  @Test func `lists that contain each other many times are refused`() {
    // 20 arrays. Each contains the next array ten times, so that there are 10 to the 20th elements.
    var objects: [UInt8] = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for level in 0..<20 {
      offsets.append(UInt8(objects.count))
      objects += [0xAA] + [UInt8](repeating: UInt8(level + 1), count: 10)
    }
    offsets.append(UInt8(objects.count))
    objects += [9]
    let table = objects.count
    let bytes =
      objects + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 21]
      + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
    #expect(BinaryPropertyList.read(bytes) == nil)
  }

  @Test(arguments: [UInt8(4), 5, 6])
  func `bytes and texts with too many references are refused`(kind: UInt8) {
    // An array of 50,000 references to one object of 10,000 bytes.
    let size = kind == 6 ? 5_000 : 10_000
    let references = [[UInt8]](repeating: [0, 1], count: 50_000).joined()
    let list: [UInt8] = [0xAF, 0x11, 0xC3, 0x50] + references
    let object = [kind << 4 | 15, 0x11, UInt8(size >> 8), UInt8(size & 255)]
    let bytes = Self.list(
      of: [list, object + [UInt8](repeating: 0x41, count: 10_000)], referenceSize: 2)
    #expect(BinaryPropertyList.read(bytes) == nil)
    // A text that is the key of many dictionaries is accepted.
    let listWithRepeatedKey = PropertyList.array(
      (0..<1_000).map { .dictionary(["a": .integer($0)]) })
    #expect(BinaryPropertyList.read(listWithRepeatedKey.binaryBytes) == listWithRepeatedKey)
  }

  /// Returns a list of these objects. The first object contains the others.
  private static func list(of objects: [[UInt8]], referenceSize: UInt8) -> [UInt8] {
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    func bigEndianBytes(_ value: Int) -> [UInt8] {
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    for object in objects {
      offsets += bigEndianBytes(bytes.count)
      bytes += object
    }
    let trailer = bigEndianBytes(objects.count) + bigEndianBytes(0) + bigEndianBytes(bytes.count)
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 8, referenceSize] + trailer
  }

  @Test func `a list that is nested too deep is refused`() {
    var binary = PropertyList.boolean(true)
    for _ in 0..<40 { binary = .array([binary]) }
    #expect(BinaryPropertyList.read(binary.binaryBytes) == nil)
    let xml = String(repeating: "<array>", count: 100_000)
    #expect(PropertyList.readXML(Array("<plist>\(xml)".utf8)) == nil)
  }

  @Test(arguments: [
    ("<array><array/></array>", 1), ("<dict></dict><dict ></dict >", 1),
    ("<array><dict><key>a</key><array/></dict></array>", 2),
    (String(repeating: "<dict/>", count: 1_000), 0),
    // Texts that could hide where a level begins or ends.
    ("<array><!-- </array> --><array>", nil), ("<array><![CDATA[</array>]]>", nil),
    ("<!DOCTYPE plist [<!ENTITY a '</array>'>]>", nil), ("<array><?x </array>?>", nil),
    ("<array x='</array>'>", nil),
  ])
  func `the levels of a text are counted as by Foundation, or not at all`(
    text: String, levels: Int?
  ) {
    let head =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\">"
    let bytes = Array("\(head)<plist version=\"1.0\">\(text)</plist>".utf8)
    #expect(PropertyList.levelCount(of: bytes) == levels)
    if levels == nil { #expect(PropertyList.readXML(bytes) == nil) }
  }

  @Test func `empty lists beside each other add no levels`() {
    let items = String(repeating: "<dict/><array/>", count: 100)
    let list = PropertyList.readXML(Array("<plist><array>\(items)</array></plist>".utf8))
    #expect(list == .array((0..<100).flatMap { _ in [.dictionary([:]), .array([])] }))
  }

  @Test func `the beginning of a list is refused, and no changed byte ends the process`() {
    let bytes = BackupRecord(.link(target: Array("a/b".utf8))).archive(at: "Documents/a")
    for count in bytes.indices { #expect(BinaryPropertyList.read(Array(bytes[..<count])) == nil) }
    for index in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = value
        _ = BackupRecord.read(archive: changed)
      }
    }
  }

  @Test(arguments: [
    BackupRecord(.file(size: 7)), BackupRecord(.file(size: .max)), BackupRecord(.directory),
    BackupRecord(.link(target: Array("../映画".utf8))),
  ])
  func `the description of an item is read as it was written`(record: BackupRecord) throws {
    var record = record
    record.attributes.marks = [.extendedAttribute, .resourceValue]
    let bytes = record.archive(at: "Documents/映画")
    let found = try #require(BackupRecord.read(archive: bytes))
    #expect(found.record == record)
    #expect(found.path == "Documents/映画")
    // These values are written, but never read.
    var observation = FileTree.Observation()
    observation.modified = 1_700_000_000_900_000_000
    observation.changeTime = 1_700_000_100_000_000_000
    observation.inode = 5
    let list = BinaryPropertyList.read(
      record.archive(at: "Documents/映画", observation, permissions: 0o600))
    guard case .array(let objects)? = list?["$objects"] else { throw TestError("no objects") }
    #expect(objects[1]["LastModified"] == .integer(1_700_000_000))
    #expect(objects[1]["LastStatusChange"] == .integer(1_700_000_100))
    #expect(objects[1]["Birth"] == .integer(1_700_000_000))
    #expect(objects[1]["InodeNumber"] == .integer(5))
    #expect((objects[1]["Mode"]?.integer ?? 0) & 0o7777 == 0o600)
  }
}
