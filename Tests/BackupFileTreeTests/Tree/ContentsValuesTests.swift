import BackupCollections
import Foundation
import Testing
import TreeSupport

@testable import BackupFileTree

@Suite struct `The values of contents` {
  private func leaves(_ data: Data) -> [ContentsValues.Leaf]? {
    FileOperation.Contents.bytes(Array(data)).values?.leaves
  }

  private func leaves(_ text: String) -> [ContentsValues.Leaf]? { leaves(Data(text.utf8)) }

  @Test func `are the leaves, with their keys`() throws {
    #expect(leaves(#"{"a":1,"b":["x","y"]}"#)?.count == 3)
    #expect(leaves(#"{"a":1}"#) != leaves(#"{"b":1}"#))
    #expect(leaves(#"{"a":1}"#) != leaves(#"{"a":"1"}"#))
    #expect(leaves("[]") == [])
    #expect(leaves("{}") == [])
  }

  @Test func `do not depend on the order of keys, or on how deep in lists they are`() throws {
    #expect(leaves(#"{"a":1,"b":2}"#) == leaves(#" {"b":2, "a":1}"#))
    #expect(Set(leaves(#"["x","y"]"#) ?? []) == Set(leaves(#"["y",["x"]]"#) ?? []))
  }

  @Test func `are the same in each format of a document`() throws {
    let note = ["title": "Lake", "text": "größer €"]
    let binary = PropertyListEncoder()
    binary.outputFormat = .binary
    let xml = PropertyListEncoder()
    xml.outputFormat = .xml
    let expected = try #require(try leaves(binary.encode(note)))
    #expect(expected.count == 2)
    for data in try [xml.encode(note), JSONEncoder().encode(note)] {
      #expect(leaves(data) == expected)
    }
  }

  @Test func `include those of a document in a property list`() throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let list = try encoder.encode(["notes": Data(#"["a","b"]"#.utf8), "other": Data([1, 0xFF])])
    #expect(leaves(list)?.count == 3)
  }

  @Test func `are the lines of any other text`() {
    #expect(leaves("A year\nof days\n\n")?.count == 2)
    #expect(leaves("[half")?.count == 1)
    #expect(leaves("") == [])
  }

  @Test func `do not depend on keys that differ each time`() {
    let (one, other) = (UUID().uuidString, UUID().uuidString)
    #expect(leaves("{\"\(one)\":\"x\"}") == leaves("{\"\(other)\":\"x\"}"))
    #expect(leaves(#"{"1796083200.5":1}"#) == leaves(#"{"1796083201.7":1}"#))
  }

  @Test func `are the leaves of each line that is a document`() {
    #expect(leaves("{\"a\":[1,2]}\n[3]\n{\"a\"")?.count == 4)
  }

  @Test func `have a form without words that have digits, if they are lines or elements`() throws {
    let lines = try #require(leaves("saved 12:03 here\nsaved 12:04 here\nread 12:03\nbread"))
    #expect(lines[0].formHash == lines[1].formHash && lines[0].valueHash != lines[1].valueHash)
    #expect(Set(lines.map(\.formHash)).count == 3 && lines[3].formHash == 0)
    #expect(leaves(#"{"a":"at 1"}"#)?.map(\.formHash) == [0])
    let elements = try #require(leaves(#"{"a":["at 1","at 2"]}"#))
    #expect(elements[0].formHash == elements[1].formHash && elements[0].formHash != 0)
  }

  @Test func `are unknown for other data`() {
    #expect(leaves(Data([0xFF, 65])) == nil)
    #expect(leaves(Data([65, 0])) == nil)
    #expect(leaves(Data("bplist00".utf8) + Data(repeating: 0xFF, count: 60)) == nil)
    #expect(leaves("[\"\(String(repeating: "a", count: 1 << 20))\"]") == nil)
    #expect(FileOperation.Contents.zeros(5).values == nil)
  }

  @Test func `are unknown for an appended file, but its parts are known`() throws {
    var tree = FileTree()
    let path: ContainerPath = "a"
    try tree.apply(.write(path, .text("[1]"), method: .atomically))
    let first = try #require(tree.version(at: path))
    #expect(tree.fileInformation(at: path)?.details?.values?.leaves.count == 1)
    try tree.apply(.append(path, .text("two")))
    #expect(tree.fileInformation(at: path)?.details?.values == nil)
    #expect(
      tree.fileInformation(at: path)?.details?.appendVersions.map(\.self) == [
        first, ContentsVersion(FileOperation.Contents.text("two")),
      ])
  }
}
