import BackupDevice
import BackupFileTree
import BackupScenarios
import Foundation
import TestSupport
import Testing

@testable import BackupVerdicts

@Suite struct `A golden document` {
  private typealias Content = GoldenDocument.Content

  /// Reads a text and prints it again.
  private func printed(_ text: String) -> String {
    GoldenDocument(parsing: text).lines.map { "\(Content($0.text))\n" }.joined()
  }

  @Test func `prints each golden file of the kit as it was read`() throws {
    let store = GoldenStore(folder: Checkout.goldenFolder)
    let names = try store.relativePaths(in: store.folder).filter {
      $0.hasSuffix(GoldenStore.suffix)
    }
    #expect(names.count > 100)
    for name in names {
      let text = try Checkout.text(of: "Golden/\(name)")
      #expect(printed(text) == text)
      let lines = GoldenDocument(parsing: text).lines.map(\.text)
      // The first line names the format, and other lines name runs.
      let otherLines = lines.filter { if case .other = Content($0) { true } else { false } }
      #expect(otherLines.dropFirst().allSatisfy { $0.hasPrefix(VariantGroup.keyword) }, "\(name)")
    }
  }

  @Test func `prints any line as it was read`() {
    var random = SeededGenerator(seed: 64)
    let parts = [
      "  in   ", "  out  ", "  gone   ", "backup ", "container x", "  ", " ", ": ", ", ", "7", "0",
      "007",
      "1000000", " (1.0 MB)", "(", ")",
      "1",
      "file", "files", " bytes", " byte", " freed", "×2", "×1", "×", "a/", "é", "e\u{301}",
      "\u{301}",
      "(own mark)", "(marked directory ", "(location)", "there", "(link)", "(keychain item)",
      "system iOS 18", "٣", "",
    ]
    for _ in 0..<5000 {
      let line = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
      #expect(Content(line).description.utf8.elementsEqual(line.utf8), "\(line)")
    }
  }

  @Test func `reads the lines that it prints`() throws {
    var random = SeededGenerator(seed: 65)
    let names = ["Documents/a", "a b/", "é", "\\n", "group.x:/b", "a-1", "marked"]
    let plain = GoldenDocument.Note.Plain.allCases.map { GoldenDocument.Note.plain($0) }
    let fates = Transcript.LossReason.allCases.map(GoldenDocument.Note.lost)
    let notes: [GoldenDocument.Note?] =
      plain + fates + [
        nil, .leftOut(.mark, words: "own mark (extended attribute)"),
        .leftOut(.mark, words: "marked directory a  b"), .leftOut(.place, words: "location"),
        .leftOut(.other, words: "path too long (998 bytes)"),
        .leftOut(.mark, words: "not in the backup: own mark"),
      ]
    let amounts: [GoldenDocument.Amount?] = [
      nil, .bytes(1), .bytes(.max), .files(1, bytes: nil), .files(0, bytes: 1),
      .files(2, bytes: 20), .freed(1), .freed(20),
    ]
    #expect(
      Set(amounts.compactMap { $0?.form }) == Set(GoldenDocument.Amount.Form.allCases))
    for _ in 0..<2000 {
      let name = try #require(names.randomElement(using: &random))
      let amount = try #require(amounts.randomElement(using: &random))
      let sum = amount?.form == .bytes ? nil : amount
      let note = try #require(notes.randomElement(using: &random))
      // With a size, only an item that is backed up although it is marked has a note.
      let hasAmount = note == nil || note == .plain(.ignoredMark)
      var facts = GoldenDocument.Item.Facts(amount: hasAmount ? amount : nil, note: note)
      facts.itemCount = Int.random(in: 1...3, using: &random)
      let lines: [Content] = [
        .item(
          GoldenDocument.Item(
            try #require(GoldenDocument.Item.Presence.allCases.randomElement(using: &random)), name,
            facts)),
        .event(GoldenDocument.Title("backup \"\(name): \"", amount: sum)),
        .container(GoldenDocument.Title(container: name, isGroup: true, amount: sum)),
        .event(GoldenDocument.Title("updateApp 2: 5", amount: nil)),
        .other("# golden 2: \(name)"),
      ]
      for line in lines { #expect(Content(line.description) == line) }
    }
  }

  @Test(
    arguments: [
      ("  in   Documents/a  1 byte  10 bytes", "Documents/a  1 byte"),
      ("  in   Documents/a  1 byte  (link)", "Documents/a  1 byte"),
      ("  out  a  b  (marked directory c  d)", "a  b"), ("  out  tmp/  (location) ", "tmp/"),
      ("  out  a  b  (a later reason)", "a"),
    ])
  func `ends an item's name before its size or note`(line: String, name: String) {
    #expect(Content(line).item?.name == name)
  }

  @Test func `knows the kind of each reason`() {
    #expect(
      Content("  out  a  (app bundle)").item?.facts.note == .leftOut(.place, words: "app bundle"))
    #expect(
      Content("  out  a  (own mark)").item?.facts.note
        == .leftOut(.mark, words: BackupSet.LeftOutReason.ownMark(.resourceValue).description))
  }

  @Test func `waits for a review with the facts of its run`() throws {
    let head = "# new golden 2: a\n# replaces 1f by 2e\n# scenario a.json5\n# why: x\n# why: y\n"
    let text = head + "# golden 2: a\npurge x\n"
    let new = try #require(NewGolden(parsing: text))
    #expect(new.reasons == ["x", "y"] && new.scenarioFile == "a.json5" && new.digests?.new == "2e")
    #expect(new.fileContents == text)
  }
}
