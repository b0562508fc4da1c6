import Foundation
import Testing
import TreeSupport

@testable import BackupFileTree

@Suite struct `The words of contents` {
  private func words(_ data: Data) -> Set<String>? {
    FileOperation.Contents.bytes(Array(data)).words
  }

  @Test(arguments: [
    ("A year of days", ["year", "days"]), ("", []), ("Äpfel, Öl", ["Äpfel", "Öl"]),
    ("{\"a\":\"one\\nLake \\\\\\\"hill\"}", ["one", "Lake", "hill"]),
    ("<dict><key>name</key><string>Lake</string></dict>", ["name", "Lake"]),
    ("Lake \(Data(0..<60).base64EncodedString()) hill", ["Lake", "hill"]),
    ("2026-11-24T19:00:05Z 3F2504E0-4F89-11D3-BADE-0305EADC3301", []),
  ])
  func `are those of a text without what varies between runs`(
    text: String, expected: [String]
  ) {
    #expect(words(Data(text.utf8)) == Set(expected))
  }

  @Test func `are the same in each format of a document`() throws {
    let long = String(repeating: "water ", count: 20)
    let note = ["title": "Lake", "text": "größer €", "more": long]
    let binary = PropertyListEncoder()
    binary.outputFormat = .binary
    let xml = PropertyListEncoder()
    xml.outputFormat = .xml
    let expected: Set = ["title", "Lake", "text", "größer", "€", "more", "water"]
    for data in try [binary.encode(note), xml.encode(note), JSONEncoder().encode(note)] {
      #expect(words(data) == expected)
    }
  }

  @Test func `are there if a text is stored as Base64 in JSON`() throws {
    let text = "??? größer lake with hills"
    let note = try JSONEncoder().encode(["body": Data(text.utf8)])
    #expect(String(decoding: note, as: UTF8.self).contains("\\/"))
    #expect(words(note)?.isSuperset(of: ["body", "größer", "lake", "with", "hills"]) == true)
  }

  @Test func `are there if a property list has a text as data`() throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let list = try encoder.encode(["notes": Data("a lake".utf8), "other": Data([1, 0xFF])])
    #expect(words(list) == ["notes", "lake", "other"])
  }

  @Test func `are not known of anything else`() {
    #expect(words(Data([1, 0, 65, 65, 65])) == nil)
    #expect(words(Data([0xFF, 65, 65, 65])) == nil)
    #expect(words(Data("bplist00".utf8)) == nil)
    #expect(words(Data("bplist00".utf8) + Data(repeating: 0xFF, count: 60)) == nil)
    #expect(words(Data(repeating: 65, count: 70_000)) == nil)
    #expect(FileOperation.Contents.zeros(5).words == nil)
  }

  @Test func `grow with a file`() throws {
    var tree = FileTree()
    let path: ContainerPath = "a"
    try tree.apply(.write(path, .text("one "), method: .atomically))
    try tree.apply(.append(path, .text("two")))
    #expect(tree.file(at: path)?.words == ["one", "two"])
    try tree.apply(.append(path, .zeros(5)))
    #expect(tree.file(at: path)?.words == nil)
  }
}
