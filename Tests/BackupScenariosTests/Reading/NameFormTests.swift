import TestSupport
import Testing
import TrialSupport

@testable import BackupFileTree
@testable import BackupScenarios

/// Forms of names of which a part varies.
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
  func `match whole names`(form: String, name: String, isMatch: Bool) throws {
    let form = try NameForm(form)
    #expect(form.matches(ContainerPath.Component(unchecked: Array(name.utf8))) == isMatch)
  }

  @Test func `take no longer than they and the name are long`() throws {
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
  func `are refused with what to write`(text: String, message: String) throws {
    let file = "{ title: 'T', steps: [], golden: { names: { 'tmp/*': '\(text)' } } }"
    let mistakes = Trial.mistakes(in: file)
    #expect(mistakes.count == 1 && mistakes.first?.contains(message) == true, "\(mistakes)")
  }

  @Test(
    arguments: [
      ("\(uuid).mp4", "1F8FAD5B-D9CB-469F-A165-70867728950E.mp4", "{uuid}.mp4"),
      ("log-2026-11-22.txt", "log-2026-11-23.txt", "log-{date}.txt"),
      ("part7.bin", "part12.bin", "part{number}.bin"),
      ("a-3f9c2b7e.png", "a-77ab01cd.png", "a-{hex}.png"), ("a.txt", "b.txt", nil),
      ("a-12345678.png", "a-77ab01cd.png", "a-{hex}.png"),
      // What both have of today is frozen no more than what differs.
      (
        "x20261123T101500123Z-\(uuid).json",
        "x20261123T101507456Z-1F8FAD5B-D9CB-469F-A165-70867728950E.json", "x{date}-{uuid}.json"
      ),
      ("2026-11-23-part7.bin", "2026-11-23-part8.bin", "{date}-part{number}.bin"),
      ("23-11-2026 1.mp4", "23-11-2026 2.mp4", "{number}-{number}-{number} {number}.mp4"),
      ("v2-1795340831.5.h264", "v2-1795340831.6.h264", "v2-{number}.{number}.h264"),
      // Neither month nor hour.
      ("20261323-1", "20261323-2", "{number}-{number}"),
      ("2026-11-23-2512", "2026-11-23-2513", "{date}-{number}"),
      // A form that there is, and a name that it does not fit.
      ("log-{number}.txt", "log-3f9c2b7e.txt", "log-{hex}.txt"),
      ("log-{date}.txt", "log-7.txt", "log-{any}.txt"), ("{uuid}.txt", "a.txt", nil),
      ("a1.txt", "a1.txt", nil), ("a1.txt", "b2.txt", nil),
    ])
  func `are found for two names`(name: String, other: String, form: String?) throws {
    #expect(NameForm.form(of: name, and: other) == form)
    guard let form else { return }
    for name in [name, other] where !name.contains("{") {
      #expect(try NameForm(form).matches(ContainerPath.Component(unchecked: Array(name.utf8))))
    }
  }

  @Test(
    arguments: [
      ("tmp.gpmemn", "tmp.jakall", "tmp.{any}"), ("a-k3x9é.txt", "a-k7x9é.txt", "a-{any}.txt"),
      ("{uuid}.mp4", "movie.mp4", "{any}.mp4"),
      ("{date}-{uuid}", "x-{date}-{uuid}", "{any}-{uuid}"),
      ("log {date}.txt", "log {number}.txt", "log {any}.txt"), ("a", "b", "{any}"), ("a", "a", nil),
      ("log.txt", "log-2.txt", "{any}.txt"),
    ])
  func `are found for two names of which whole words vary`(
    name: String, other: String, form: String?
  ) {
    #expect(NameForm.looseForm(of: name, and: other) == form)
  }

  @Test(
    arguments: [
      ("Documents/\(uuid)/1795340831-2026-11-22.db", "Documents/{uuid}/{number}-{date}.db"),
      ("Library/Caches/3f9c2b7e/v2.mp4", "Library/Caches/{hex}/v2.mp4"),
      ("Documents/IMG_0012.jpg", "Documents/IMG_0012.jpg"), ("Facade1", "Facade1"),
      ("x1795340831", "x1795340831"), ("{uuid}", "{uuid}"),
    ])
  func `stand for what looks random in one name`(name: String, form: String) {
    #expect(NameForm.withoutRandomParts(name) == form)
  }
}
