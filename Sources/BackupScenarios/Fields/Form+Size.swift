import BackupDiagnostics
import BackupJSON5

extension Form where Value == Int64 {
  static var size: Form {
    Form(expected: Int64.expectedSize, words: "size", schema: Int64.sizeSchema) { reader in
      switch Int64.size(reader.value) {
      case .success(let size): return size
      case .failure(let mistake):
        reader.note(mistake.message)
        return nil
      }
    }.named(
      "size",
      "A size: plain bytes, or with KB or kB, MB, GB (powers of 1000) or KiB, MiB, GiB (of 1024); at most "
        + "1000 GB.",
      examples: [2048, "10 KB", "1.5 MB", "700 MiB"])
  }
}

// Sizes as scenario files write them: plain bytes, or with a unit.
extension Int64 {
  /// What a schema says of one: everything but the product with the unit.
  fileprivate static let sizeSchema: Schema = [
    "anyOf": [
      ["type": "integer", "minimum": 0, "maximum": .number(Double(largestSize))],
      [
        "type": "string",
        "pattern": .text(
          #"^(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?: ?(?:"#
            + units.map(\.name).joined(separator: "|") + "))?$"),
      ],
    ]
  ]

  /// The units: `KB MB GB` are powers of 1000, `KiB MiB GiB` of 1024.
  private static let units: [(name: String, bytes: Int64)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
    ("KB", 1_000), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("B", 1),
  ]

  /// The largest size a scenario may ask for, in bytes: 1 TB, more than any device holds.
  static let largestSize: Int64 = 1_000_000_000_000

  static func size(_ value: LocatedValue) -> Result<Int64, FormMistake> {
    switch value.kind {
    case .number(let number): checked(number.double, roundingOff: 0, as: number.text)
    case .string(let text): size(text)
    default: .failure(FormMistake(message: "expected \(expectedSize), found \(value.kindName)"))
    }
  }

  /// Reads a size from text such as `1.5 MB`.
  private static func size(_ text: String) -> Result<Int64, FormMistake> {
    let unit = units.first { text.hasSuffix($0.name) }
    let digits = text.dropLast(unit?.name.count ?? 0)
    let number = unit != nil && digits.last == " " ? digits.dropLast() : digits
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let isNumber = isASCII && number.allSatisfy { "0123456789.".contains($0) }
    guard isNumber, number.last != ".", let amount = Double(String(number)) else {
      let shown = EscapedText.escape(String(text.prefix(40)))
      let named = unit == nil || unit?.bytes == 1 ? units : []
      let near = named.first {
        $0.bytes > 1 && text.lowercased().hasSuffix($0.name.lowercased())
      }
      let advice = near.map { "did you mean '\($0.name)'? Expected" } ?? "expected"
      return .failure(FormMistake(message: "'\(shown)' is not a size; \(advice) \(expectedSize)"))
    }
    let bytes = amount * Double(unit?.bytes ?? 1)
    return checked(bytes, roundingOff: 2 * bytes.ulp, as: text)
  }

  /// A whole number of bytes within the limit; `1.001 KB`, whose product is a rounding off, is one.
  private static func checked(
    _ bytes: Double, roundingOff: Double, as text: String
  ) -> Result<Int64, FormMistake> {
    guard bytes >= 0, bytes <= Double(largestSize) else {
      let message =
        "the size \(EscapedText.escape(String(text.prefix(40)))) is out of range; "
        + "expected 0 bytes to 1000 GB"
      return .failure(FormMistake(message: message))
    }
    guard abs(bytes.rounded() - bytes) <= roundingOff else {
      let shown = EscapedText.escape(String(text.prefix(40)))
      return .failure(FormMistake(message: "'\(shown)' is not a whole number of bytes"))
    }
    return .success(Int64(bytes.rounded()))
  }

  /// What a size looks like.
  fileprivate static let expectedSize = "a size such as 2048, '10 KB', '1.5 MB' or '700 MiB'"
}
