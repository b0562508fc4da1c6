import Foundation
import TestSupport
import Testing

@testable import BackupFileTree
@testable import BackupFolders

/// Property lists as backups have them.
@Suite struct PropertyListTests {
  /// A list with a value of each kind.
  private static let sample = PropertyList.dictionary([
    "text": .string("list"), "odd": .string("映画 🎬 \u{1}"),
    "long": .string(String(repeating: "x", count: 70_000)),
    "number": .integer(-7), "large": .integer(.max), "yes": .boolean(true), "no": .boolean(false),
    "bytes": .data([0, 255, 1]), "real": .real(0.5), "date": .date(700_000_000),
    "list": .array((0..<300).map { .integer($0) }), "empty": .dictionary([:]),
  ])

  @Test func `what is written is read again`() {
    #expect(BinaryPropertyList.read(Self.sample.binary) == Self.sample)
    let reference = PropertyList.array([.reference(5), .null])
    #expect(BinaryPropertyList.read(reference.binary) == reference)
  }

  @Test func `Foundation reads what is written`() throws {
    let list = try PropertyListSerialization.propertyList(
      from: Data(Self.sample.binary), options: [], format: nil)
    let values = try #require(list as? [String: Any])
    #expect(values["odd"] as? String == "映画 🎬 \u{1}")
    #expect(values["large"] as? Int64 == .max)
    #expect(values["bytes"] as? Data == Data([0, 255, 1]))
    #expect(values["date"] as? Date == Date(timeIntervalSinceReferenceDate: 700_000_000))
    #expect((values["list"] as? [Int])?.count == 300)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func `what Foundation writes is read`(format: PropertyListSerialization.PropertyListFormat) throws
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

  @Test func `a list that holds itself is none`() {
    // One array, whose only element is the array.
    let bytes: [UInt8] =
      Array("bplist00".utf8) + [0xA1, 0, 8] + [0, 0, 0, 0, 0, 0, 1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(BinaryPropertyList.read(bytes) == nil)
  }

  @Test func `lists that hold one another many times are given up`() {
    // 20 arrays, each of which has the next ten times: 10 to the 20th elements.
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
  func `bytes and texts that are referred to many times are given up`(kind: UInt8) {
    // An array of 50,000 references to one object of 10,000 bytes.
    let size = kind == 6 ? 5_000 : 10_000
    let references = [[UInt8]](repeating: [0, 1], count: 50_000).joined()
    let list: [UInt8] = [0xAF, 0x11, 0xC3, 0x50] + references
    let object = [kind << 4 | 15, 0x11, UInt8(size >> 8), UInt8(size & 255)]
    let bytes = Self.list(
      of: [list, object + [UInt8](repeating: 0x41, count: 10_000)], referenceSize: 2)
    #expect(BinaryPropertyList.read(bytes) == nil)
    // A text that many dictionaries have for a key is none of that.
    let usual = PropertyList.array((0..<1_000).map { .dictionary(["a": .integer($0)]) })
    #expect(BinaryPropertyList.read(usual.binary) == usual)
  }

  /// A list of these objects, the first of which holds all.
  private static func list(of objects: [[UInt8]], referenceSize: UInt8) -> [UInt8] {
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    func number(_ value: Int) -> [UInt8] {
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    for object in objects {
      offsets += number(bytes.count)
      bytes += object
    }
    let trailer = number(objects.count) + number(0) + number(bytes.count)
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 8, referenceSize] + trailer
  }

  @Test func `a list that is nested too deep is none`() {
    var binary = PropertyList.boolean(true)
    for _ in 0..<40 { binary = .array([binary]) }
    #expect(BinaryPropertyList.read(binary.binary) == nil)
    let xml = String(repeating: "<array>", count: 100_000)
    #expect(PropertyList.readXML(Array("<plist>\(xml)".utf8)) == nil)
  }

  @Test(arguments: [
    ("<array><array/></array>", 1), ("<dict></dict><dict ></dict >", 1),
    ("<array><dict><key>a</key><array/></dict></array>", 2),
    (String(repeating: "<dict/>", count: 1_000), 0),
    // What could hide that a level is open, or is closed.
    ("<array><!-- </array> --><array>", nil), ("<array><![CDATA[</array>]]>", nil),
    ("<!DOCTYPE plist [<!ENTITY a '</array>'>]>", nil), ("<array><?x </array>?>", nil),
    ("<array x='</array>'>", nil),
  ])
  func `the levels of a text are those that Foundation sees, or are not counted`(
    text: String, levels: Int?
  ) {
    let head =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\">"
    let bytes = Array("\(head)<plist version=\"1.0\">\(text)</plist>".utf8)
    #expect(PropertyList.levels(of: bytes) == levels)
    if levels == nil { #expect(PropertyList.readXML(bytes) == nil) }
  }

  @Test func `empty lists beside one another are no levels`() {
    let items = String(repeating: "<dict/><array/>", count: 100)
    let list = PropertyList.readXML(Array("<plist><array>\(items)</array></plist>".utf8))
    #expect(list == .array((0..<100).flatMap { _ in [.dictionary([:]), .array([])] }))
  }

  @Test func `no part of a list is taken for one, and no changed byte ends the process`() {
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
  func `an item's description says what was written`(record: BackupRecord) throws {
    var record = record
    record.attributes.marks = [.extendedAttribute, .resourceValue]
    let bytes = record.archive(at: "Documents/映画")
    let found = try #require(BackupRecord.read(archive: bytes))
    #expect(found.record == record)
    #expect(found.path == "Documents/映画")
    // What is written, and not read.
    var observation = FileTree.Observation()
    observation.modified = 1_700_000_000_900_000_000
    observation.changed = 1_700_000_100_000_000_000
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
