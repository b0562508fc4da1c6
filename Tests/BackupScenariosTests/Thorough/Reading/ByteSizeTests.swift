import TestSupport
import Testing

@testable import BackupJSON5
@testable import BackupScenarios

@Suite struct `A size` {
  /// Returns the bytes of a size; nil if the size is invalid.
  private func bytes(_ text: String) throws -> Int64? {
    try? Int64.readSize(try LocatedValue(json5: text)).get()
  }

  @Test(
    arguments: [
      ("0", 0), ("2048", 2048), ("'2048'", 2048), ("'2048 B'", 2048), ("'1 KB'", 1000),
      ("'1 MB'", 1_000_000), ("'1 GB'", 1_000_000_000), ("'1 KiB'", 1024),
      ("'1 MiB'", 1_048_576), ("'1 GiB'", 1_073_741_824), ("'10KB'", 10_000), ("0x10", 16),
      ("1e3", 1000), ("'1.5 KB'", 1500), ("'0.5 KiB'", 512), ("'.5 KB'", 500), ("-0", 0),
      ("'1000 GB'", 1_000_000_000_000), ("1000000000000", 1_000_000_000_000),
    ] as [(String, Int64)])
  func `is whole bytes, or a number with a unit`(text: String, expected: Int64) throws {
    #expect(try bytes(text) == expected)
  }

  @Test func `with up to three decimals of a kilobyte is exact`() throws {
    for thousandths in Int64(0)..<20_000 {
      let digits = String(thousandths % 1000 + 1000).dropFirst()
      #expect(try bytes("'\(thousandths / 1000).\(digits) KB'") == thousandths)
    }
  }

  @Test(arguments: [("'10 kb'", "KB"), ("'1 Mib'", "MiB"), ("'1 gb'", "GB"), ("'5k'", "KB")])
  func `with a misspelt unit gets the right unit in the message`(text: String, unit: String) throws
  {
    let message = try #require(try problem(text))
    #expect(message.hasSuffix("is not a size; did you mean '\(unit)'? Expected \(example)"))
  }

  @Test func `in bytes has no unit`() throws {
    let message = try #require(try problem("'500 bytes'"))
    #expect(message.hasSuffix("is not a size; write bytes without a unit. Expected \(example)"))
  }

  @Test(
    arguments: [
      "'ten'", "''", "' '", "'KB'", "'10  KB'", "' 10 KB'", "'1e3 KB'", "'-1 KB'",
      "'+1 KB'", "'1,5 KB'", "'1.2.3 KB'", "'10 TB'", "'0x10'", "'NaN'", "'١٠ KB'",
    ])
  func `of another form is invalid`(text: String) throws {
    let message = try #require(try problem(text))
    #expect(message.hasSuffix("is not a size; expected \(example)"))
  }

  @Test(
    arguments: ["-1", "1000000000001", "'1001 GB'", "Infinity", "-Infinity", "NaN", "1e400"])
  func `out of range is invalid`(text: String) throws {
    guard let value = try? LocatedValue(json5: text) else { return }
    let message = try #require(self.problem(in: value))
    #expect(message.contains("is out of range; expected 0 bytes to 1000 GB"))
  }

  @Test(arguments: [
    "1.5", "5e-324", "1.0000000000000002", "'1.5'", "'1.0001 KB'", "'0.1 B'", "'0.3 KiB'",
    "'999999.9999991 MB'",
  ])
  func `with a fraction of a byte is invalid`(text: String) throws {
    #expect(try problem(text)?.hasSuffix("is not a whole number of bytes") == true)
  }

  @Test(arguments: [("true", "a boolean"), ("[]", "a list"), ("{}", "an object"), ("null", "null")])
  func `of another type is invalid`(text: String, kind: String) throws {
    #expect(try problem(text) == "expected \(example), found \(kind)")
  }

  @Test func `is shortened in the message, on one line`() throws {
    let message = try #require(try problem("'\(String(repeating: "9", count: 9999))\\n KB'"))
    #expect(message.count < 200 && !message.contains(where: \.isNewline))
  }

  /// The examples of sizes in messages.
  private let example = "a size such as 2048, '10 KB', '1.5 MB' or '700 MiB'"

  /// Returns the problem with a size; nil if the size is valid.
  private func problem(_ text: String) throws -> String? {
    problem(in: try LocatedValue(json5: text))
  }

  /// Returns the problem with a value as a size; nil if it is valid.
  private func problem(in value: LocatedValue) -> String? {
    if case .failure(let problem) = Int64.readSize(value) { problem.message } else { nil }
  }
}
