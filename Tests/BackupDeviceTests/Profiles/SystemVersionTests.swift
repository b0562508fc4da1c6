import BackupDevice
import TestSupport
import Testing

/// Versions are parsed and ordered.
@Suite struct SystemVersionTests {
  @Test(arguments: [("5", "5.0"), ("5.0", "5.0.0"), ("18", "18.0.0"), ("5.0.1", "5.0.1")])
  func `zeros at the end make no difference`(one: String, other: String) throws {
    let versions = try (#require(SystemVersion(one)), #require(SystemVersion(other)))
    #expect(versions.0 == versions.1)
    #expect(versions.0.hashValue == versions.1.hashValue)
    #expect(!(versions.0 < versions.1) && !(versions.1 < versions.0))
  }

  @Test func `zeros inside make a difference`() {
    #expect(SystemVersion("5.0.1") != SystemVersion("5.1"))
    #expect(SystemVersion("5.0.1") != SystemVersion("5.1.0"))
    #expect(SystemVersion("10") != SystemVersion("1"))
  }

  @Test func `versions are ordered by their numbers, not their letters`() throws {
    let ascending = ["4.3.5", "5", "5.0.1", "5.1", "5.1.1", "5.10", "6", "9.3", "10", "18", "26"]
    let versions = try ascending.map { try #require(SystemVersion($0)) }
    #expect(versions.shuffled().sorted() == versions)
    for (older, newer) in zip(versions, versions.dropFirst()) {
      #expect(older < newer)
      #expect(older != newer)
    }
  }

  @Test(arguments: ["5", "5.0", "5.0.1", "26", "9999.9999.9999"])
  func `the description is the text that was parsed`(text: String) throws {
    #expect(try #require(SystemVersion(text)).description == text)
  }

  @Test(arguments: [
    "", ".", "5.", ".5", "5..1", "5.0.1.0", "iOS 5", " 5", "5 ", "5\n", "+5", "-5", "5.-1", "5,1",
    "0x5", "5e1", "five", "５", "٥", "5\u{0}", "5\u{301}", "5.\u{301}1", "26 beta", "26.0b1",
    "05", "5.01", "5.00", "00",
  ])
  func `any other text is no version`(text: String) {
    #expect(SystemVersion(text) == nil)
  }

  @Test(
    arguments: [
      "10000", "9223372036854775807", "9223372036854775808", "5.99999999999999999999",
      LongText(String(repeating: "9", count: 100_000)),
      LongText(String(repeating: "5.", count: 100_000) + "5"),
    ] as [LongText])
  func `numbers that are too large are refused without an overflow`(version: LongText) {
    #expect(SystemVersion(version.text) == nil)
  }
}
