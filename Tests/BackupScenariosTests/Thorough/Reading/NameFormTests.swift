import TestSupport
import Testing
import TrialSupport

@testable import BackupFileTree
@testable import BackupScenarios

/// Forms of names with a varying part.
@Suite struct NameFormTests {
  private static let uuid = "0F8FAD5B-D9CB-469F-A165-70867728950E"

  @Test(
    arguments: [
      ("{uuid}.mp4", "\(uuid).mp4", true), ("{uuid}.mp4", "\(uuid.lowercased()).mp4", true),
      ("{uuid}.mp4", "\(uuid).mp3", false), ("{uuid}.mp4", "x\(uuid).mp4", false),
      ("{uuid}", "0F8FAD5BD9CB469FA16570867728950E", false), ("{uuid}", "", false),
      ("{number}", "0", true), ("{number}", "007", true), ("{number}", "", false),
      ("{number}", "1a", false), ("a{number}1", "a1", false), ("a{number}1", "a111", true),
      ("{hex}", "dEadBeef01", true), ("{hex}", "xyz", false), ("{hex}{hex}", "ab", true),
      ("{any}", "x", true), ("{any}", "", false), ("a{any}z", "az", false),
      ("a{any}z", "a\u{E9}z", true), ("{any}.{any}", "a.b.c", true),
      ("{date}", "2026-11-22", true), ("{date}", "20261122", true),
      ("log {date}.txt", "log 2026-11-22T10:15:00Z.txt", true), ("{date}", "2026-11-22 at", false),
      ("{date}", "20261122T101500.123Z", true), ("{date}", "2026-11-22T10:15:00+01:00", true),
      ("{date}", "2026_11_22-10.15", true), ("{date}", "2026-11-22 at 10.15.00", true),
      ("{date}", "20261122T101500123456Z", true), ("{date}", "2026-11-22 10:15:00,5", true),
      ("{date}", "2026-11-22t1015", false), ("{date}", "2026-11-22 a10.15", false),
      ("{date}", "26-11-22", false),
      ("{date}", "2026", false),
      ("{date}-{number}", "2026-11-22-7", true), ("{{number}", "{5", true),
      ("}{number}", "}5", true), ("{number}{", "5{", true),
    ])
  func `forms match whole names`(form: String, name: String, isMatch: Bool) throws {
    let form = try NameForm(form)
    #expect(form.matches(ContainerPath.Component(unchecked: Array(name.utf8))) == isMatch)
  }

  @Test func `forms with many placeholders are matched quickly`() throws {
    let form = try NameForm(String(repeating: "{any}{hex}{number}a", count: 40) + "z")
    let name = ContainerPath.Component(unchecked: Array(repeating: UInt8(ascii: "a"), count: 255))
    #expect(!form.matches(name))
  }

  @Test(
    arguments: [
      ("{uid}", "unknown form '{uid}'; did you mean '{uuid}'?"),
      ("{}", "unknown form '{}'; "),
      (
        "a.mp4",
        "nothing varies in 'a.mp4'; write one of {uuid}, {date}, {number}, {hex}, {any} in it"
      ),
      ("", "nothing varies in ''"), ("{any", "nothing varies in '{any'"),
      ("{any}/{any}", "is not a file name: remove '/' and NUL"),
    ])
  func `invalid forms are refused with advice`(text: String, message: String) throws {
    let file = "{ title: 'T', steps: [], golden: { names: { 'tmp/*': '\(text)' } } }"
    let mistakes = Trial.mistakes(in: file)
    #expect(mistakes.count == 1 && mistakes.first?.contains(message) == true, "\(mistakes)")
  }

  @Test(
    arguments: [
      ("Documents/\(uuid)/1795340831-2026-11-22.db", "Documents/{uuid}/{number}-{date}.db"),
      ("Library/Caches/3f9c2b7e/v2.mp4", "Library/Caches/{hex}/v2.mp4"),
      ("Documents/IMG_0012.jpg", "Documents/IMG_0012.jpg"), ("Facade1", "Facade1"),
      ("x1795340831", "x1795340831"), ("{uuid}", "{uuid}"),
      // Digits that are no month or no hour.
      ("20261323-1", "{number}-1"), ("2026-11-23-2512", "{date}-2512"),
    ])
  func `placeholders replace the random parts of a name`(name: String, form: String) {
    #expect(NameForm.replacingRandomParts(name) == form)
  }
}
