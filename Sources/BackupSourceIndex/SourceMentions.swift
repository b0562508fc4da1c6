/// A name in code that is certainly compiled. In the source, the name is before a `(` or after a
/// `.`.
struct SourceMention {
  struct Place: Hashable {
    let line: Int
    /// The column in bytes, from 1.
    let column: Int
  }

  enum Kind {
    case call
    case member
    case memberCall
  }

  let name: String
  let kind: Kind

  /// Returns the names that an index of the compiler must have, by place.
  ///
  /// Leaves out names in comments, strings and arguments of macros, and between `#if` and `#endif`.
  /// The index has no local declarations, so the method also leaves out names before a `(` that the
  /// file itself declares.
  static func all(in source: [UInt8]) -> [Place: SourceMention] {
    var reader = SourceReader(source: source)
    reader.read(until: nil)
    return reader.mentions.filter {
      $0.value.kind != .call || !reader.declaredNames.contains($0.value.name)
    }
  }
}

/// Reads the names in the bytes of a Swift source.
private struct SourceReader {
  let source: [UInt8]
  private(set) var mentions: [SourceMention.Place: SourceMention] = [:]
  /// The names of functions, constants, variables and parameters that the source declares. Argument
  /// labels are included, because they look like parameters.
  private(set) var declaredNames: Set<String> = []
  private var position = 0
  private var line = 1
  private var lineStart = 0
  /// The number of `#if` whose `#endif` is still to come.
  private var openConditionCount = 0

  init(source: [UInt8]) {
    self.source = source
  }

  private var nextByte: UInt8? { position < source.count ? source[position] : nil }

  private func has(_ text: StaticString, at offset: Int = 0) -> Bool {
    let start = position + offset
    let count = text.utf8CodeUnitCount
    guard start + count <= source.count else { return false }
    return (0..<count).allSatisfy { source[start + $0] == text.utf8Start[$0] }
  }

  private mutating func advance() {
    if nextByte == UInt8(ascii: "\n") {
      line += 1
      lineStart = position + 1
    }
    position += 1
  }

  private mutating func advance(_ count: Int) {
    for _ in 0..<count where nextByte != nil { advance() }
  }

  /// Reads up to a closing bracket, and skips the bracket. Reads to the end of the source if
  /// `closing` is nil.
  mutating func read(until closing: UInt8?, isRecording: Bool = true) {
    var depth = 0
    let opening: UInt8? = closing.map { $0 == UInt8(ascii: ")") ? $0 - 1 : $0 - 2 }
    while let byte = nextByte {
      if has("//") {
        while let byte = nextByte, byte != UInt8(ascii: "\n") { advance() }
      } else if has("/*") {
        skipComment()
      } else if byte == UInt8(ascii: "\"") {
        skipString(hashCount: 0)
      } else if byte == UInt8(ascii: "#") {
        readHash()
      } else if byte == UInt8(ascii: "`") {
        advance()
        while let byte = nextByte, byte != UInt8(ascii: "`"), byte != UInt8(ascii: "\n") {
          advance()
        }
        advance()
      } else if byte.startsName {
        readName(isRecording: isRecording)
      } else {
        advance()
        if byte == opening { depth += 1 }
        if byte == closing {
          if depth == 0 { return }
          depth -= 1
        }
      }
    }
  }

  private mutating func readName(isRecording: Bool) {
    let start = position
    let column = start - lineStart + 1
    while let byte = nextByte, byte.continuesName { advance() }
    let isMember = start > 0 && source[start - 1] == UInt8(ascii: ".")
    let isCall = nextByte == UInt8(ascii: "(")
    let name = String(decoding: source[start..<position], as: UTF8.self)
    // After one of the keywords `func`, `let` and `var`, the source declares the name.
    let precedingBytes = source[..<start].reversed().drop { $0 == UInt8(ascii: " ") }
    let previousWord = String(
      decoding: precedingBytes.prefix { $0.continuesName }.reversed(), as: UTF8.self)
    if nextByte == UInt8(ascii: ":") || ["func", "let", "var"].contains(previousWord) {
      declaredNames.insert(name)
    }
    guard isRecording, openConditionCount == 0, isMember || isCall else { return }
    guard isMember || !["func", "case", "macro"].contains(previousWord) else { return }
    mentions[SourceMention.Place(line: line, column: column)] = SourceMention(
      name: name, kind: !isMember ? .call : isCall ? .memberCall : .member)
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if has("/*") { depth += 1 }
      if has("*/") { depth -= 1 }
      advance(has("/*") || has("*/") ? 2 : 1)
    } while depth > 0 && nextByte != nil
  }

  /// Skips a string and its interpolations. The position must be at the opening quote.
  private mutating func skipString(hashCount: Int) {
    let isMultiline = has("\"\"\"")
    advance(isMultiline ? 3 : 1)
    while let byte = nextByte {
      if byte == UInt8(ascii: "\n"), !isMultiline { return }
      if byte == UInt8(ascii: "\\"), hasHashes(hashCount, at: 1) {
        advance(1 + hashCount)
        let isInterpolation = nextByte == UInt8(ascii: "(")
        advance()
        if isInterpolation { read(until: UInt8(ascii: ")"), isRecording: false) }
      } else if isMultiline ? has("\"\"\"") : byte == UInt8(ascii: "\""),
        hasHashes(hashCount, at: isMultiline ? 3 : 1)
      {
        return advance((isMultiline ? 3 : 1) + hashCount)
      } else {
        advance()
      }
    }
  }

  private func hasHashes(_ count: Int, at offset: Int) -> Bool {
    let start = position + offset
    return start + count <= source.count
      && source[start..<(start + count)].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  /// Reads the text that begins with `#`: a raw string, a regular expression, a condition or a
  /// macro.
  private mutating func readHash() {
    let hashCount = source[position...].prefix { $0 == UInt8(ascii: "#") }.count
    if has("\"", at: hashCount) {
      advance(hashCount)
      return skipString(hashCount: hashCount)
    }
    if has("/", at: hashCount) {
      advance(hashCount + 1)
      while let byte = nextByte, byte != UInt8(ascii: "/") || !hasHashes(hashCount, at: 1) {
        advance()
      }
      return advance(1 + hashCount)
    }
    advance(hashCount)
    let start = position
    while let byte = nextByte, byte.continuesName { advance() }
    switch String(decoding: source[start..<position], as: UTF8.self) {
    case "if": openConditionCount += 1
    case "endif": openConditionCount = max(0, openConditionCount - 1)
    case "elseif", "else", "available", "unavailable": break
    default:
      if nextByte == UInt8(ascii: "<") { read(until: UInt8(ascii: ">"), isRecording: false) }
      if nextByte == UInt8(ascii: "(") {
        advance()
        read(until: UInt8(ascii: ")"), isRecording: false)
      }
      let endOfArguments = (position, line, lineStart)
      while nextByte == UInt8(ascii: " ") { advance() }
      guard nextByte == UInt8(ascii: "{") else {
        return (position, line, lineStart) = endOfArguments
      }
      advance()
      read(until: UInt8(ascii: "}"), isRecording: false)
    }
  }
}

extension UInt8 {
  fileprivate var startsName: Bool {
    self >= 0x80 || self == UInt8(ascii: "_") || (0x41...0x5A).contains(self & ~0x20)
  }
  fileprivate var continuesName: Bool { startsName || (0x30...0x39).contains(self) }
}
