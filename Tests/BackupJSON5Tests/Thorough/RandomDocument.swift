import TestSupport

/// Makes random JSON5 text that Foundation reads correctly, and damages it.
struct RandomDocument {
  /// The source of every choice.
  private var random: SeededGenerator

  /// The number of keys so far. It makes each key different from the others.
  private var keyCount = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a random value with at most `depth` levels of containers.
  mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
    case 0: choice(["null", "true", "false"])
    case 1, 2: number()
    case 3...5: string()
    case 6, 7: list("[", "]") { $0.value(depth: depth - 1) }
    default:
      list("{", "}") { "\($0.key())\($0.space()):\($0.space())\($0.value(depth: depth - 1))" }
    }
  }

  /// Returns a text of random tokens.
  mutating func tokens(_ count: Int) -> String {
    (0..<count).map { _ in
      choice([
        "{", "}", "[", "]", ",", ":", "a", "'s'", "1", "-", ".5", "null", " ", "//", "/*", "*/",
      ])
    }.joined()
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Returns the bytes after one or two random changes.
  mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...2, using: &random) { damageOnce(&bytes) }
    return bytes
  }

  /// Inserts, removes or replaces a byte at a random index, or cuts the bytes off there.
  private mutating func damageOnce(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let index = Int.random(in: 0..<bytes.count, using: &random)
    let byte = choice(Array("{}[]:,'\"\\/*+-.0123456789abefnrtuxINE$_= \n\r#;%é".utf8))
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2: bytes.insert(byte, at: index)
    case 3, 4: bytes.remove(at: index)
    case 5, 6: bytes[index] = byte
    default: bytes.removeSubrange(index...)
    }
  }

  /// Returns an array or an object, sometimes with a trailing comma.
  private mutating func list(
    _ opening: String, _ closing: String, _ element: (inout RandomDocument) -> String
  ) -> String {
    let count = Int.random(in: 0...4, using: &random)
    let elements = (0..<count).map { _ in space() + element(&self) + space() }
    let comma = count > 0 && Bool.random(using: &random) ? "," + space() : ""
    return opening + elements.joined(separator: ",") + comma + closing
  }

  /// Returns a key, with or without quotes. Keys differ in several characters, so that damage does
  /// not make them equal.
  private mutating func key() -> String {
    keyCount += 1
    let digits = String(repeating: String(keyCount), count: 4)
    let name = choice(["k", "$", "_", "ключ", "é"]) + digits
    return choice([name, "'\(name)'", "\"\(name)\""])
  }

  /// Returns a number in a random notation.
  private mutating func number() -> String {
    let sign = choice(["", "", "+", "-"])
    let whole = Int.random(in: 0...99999, using: &random)
    let fraction = Int.random(in: 0...999, using: &random)
    return sign
      + choice([
        "\(whole)", "\(whole).", "\(whole).\(fraction)", ".\(fraction)",
        "\(whole)e\(fraction % 20)",
        "\(whole).\(fraction)E-\(fraction % 9)", "0x" + String(whole, radix: 16),
        "0X" + String(whole, radix: 16, uppercase: true), "Infinity", "NaN", "0",
      ])
  }

  /// Returns a string of random characters, plain and escaped.
  private mutating func string() -> String {
    let quote = choice(["'", "\""])
    let pieces = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      choice([
        "a", " ", "//", "é", "日", "😀", "{", "\\n", "\\t", "\\\\", "\\\"", "\\'", "\\/", "\\x41",
        "\\u00e9", "\\ud83d\\ude00",
      ])
    }
    return quote + pieces.joined() + quote
  }

  /// Returns nothing, white space or a comment.
  private mutating func space() -> String {
    choice(["", "", "", " ", "\n", "\n  ", "\r\n", " /* c */ ", "// c\n", "/**/"])
  }

  /// Returns a random element.
  private mutating func choice<Element>(_ options: [Element]) -> Element {
    options[Int.random(in: 0..<options.count, using: &random)]
  }
}
