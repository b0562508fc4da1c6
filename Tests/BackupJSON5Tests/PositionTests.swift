import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupJSON5

/// The positions of values, keys and mistakes.
@Suite struct PositionTests {
  @Test func topLevelValueBeginsAfterSpaceAndComments() throws {
    #expect(try LocatedValue(json5: "1").position == SourcePosition(line: 1, column: 1))
    #expect(try LocatedValue(json5: "  1").position == SourcePosition(line: 1, column: 3))
    #expect(
      try LocatedValue(json5: "// c\n/* c\n */ 1").position == SourcePosition(line: 3, column: 5))
  }

  @Test func signAndQuoteBelongToTheValue() throws {
    #expect(try LocatedValue(json5: " -1").position.column == 2)
    #expect(try LocatedValue(json5: " 'a'").position.column == 2)
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}"])
  func everyLineTerminatorEndsOneLine(_ terminator: String) throws {
    let value = try LocatedValue(json5: "[\(terminator)\(terminator) 1]")
    #expect(elements(value).first?.position == SourcePosition(line: 3, column: 2))
    #expect(
      try LocatedValue(json5: "//\(terminator)1").position == SourcePosition(line: 2, column: 1))
    #expect(
      try LocatedValue(json5: "/*\(terminator)*/1").position == SourcePosition(line: 2, column: 3))
  }

  @Test func lineFeedThenCarriageReturnAreTwoLines() throws {
    #expect(try LocatedValue(json5: "\n\r1").position.line == 3)
  }

  @Test func nextLineAndVerticalTabEndNoLine() throws {
    #expect(try LocatedValue(json5: "\u{B}\u{C}1").position == SourcePosition(line: 1, column: 3))
    #expect(elements(try LocatedValue(json5: "['\u{85}', 1]")).last?.position.line == 1)
  }

  @Test func lineContinuationsInStringsCount() throws {
    let value = try LocatedValue(json5: "['a\\\nb\\\r\nc\u{2028}', 1]")
    #expect(elements(value).last?.position == SourcePosition(line: 4, column: 4))
  }

  @Test func columnsCountBytes() throws {
    #expect(elements(try LocatedValue(json5: "['é', 1]")).last?.position.column == 8)
    #expect(elements(try LocatedValue(json5: "['😀', 1]")).last?.position.column == 10)
    #expect(try LocatedValue(json5: "\u{FEFF}1").position.column == 4)
  }

  @Test func keysAndTheirValuesHaveTheirOwnPositions() throws {
    let value = try LocatedValue(json5: "{\n  a: 1,\n  'b' :\n    [],\n}")
    guard case .object(let members) = value.kind else {
      Issue.record("not an object")
      return
    }
    #expect(value.position == SourcePosition(line: 1, column: 1))
    #expect(members.map(\.keyPosition.line) == [2, 3])
    #expect(members.map(\.keyPosition.column) == [3, 3])
    #expect(members.map(\.value.position.line) == [2, 4])
    #expect(members.map(\.value.position.column) == [6, 5])
  }

  @Test func containersBeginAtTheirBrackets() throws {
    let value = try LocatedValue(json5: "[ [\n] , {} ]")
    #expect(elements(value).map(\.position.line) == [1, 2])
    #expect(elements(value).map(\.position.column) == [3, 5])
  }

  @Test func positionsAreOrderedByLineThenColumn() {
    let positions = [(2, 1), (1, 9), (1, 2), (10, 1)].map { SourcePosition(line: $0, column: $1) }
    #expect(positions.sorted().map(\.line) == [1, 1, 2, 10])
    #expect(positions.min() == SourcePosition(line: 1, column: 2))
  }

  @Test func everyOffsetOfATextHasItsPosition() {
    let table = LineTable(Array("ab\r\nc\n\nd".utf8))
    let positions = (0...8).map(table.position(at:))
    #expect(positions.map(\.line) == [1, 1, 1, 1, 2, 2, 3, 4, 4])
    #expect(positions.map(\.column) == [1, 2, 3, 4, 1, 2, 1, 1, 2])
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}"])
  func `Each line is without its terminator`(terminator: String) {
    let lines = ["ab", "", "c\u{E9}\u{2027}", "d"]
    for text in [lines, lines + [""]].map({ $0.joined(separator: terminator) }) {
      let bytes = Array(text.utf8)
      let table = LineTable(bytes)
      let found = (1...4).map { table.line($0, in: bytes).map(Array.init) }
      #expect(found == lines.map { Array($0.utf8) })
      #expect(table.line(5, in: bytes)?.isEmpty == (text.hasSuffix(terminator) ? true : nil))
      #expect(table.line(0, in: bytes) == nil && table.line(6, in: bytes) == nil)
    }
  }

  /// Returns the elements of an array; none for any other value.
  private func elements(_ value: LocatedValue) -> [LocatedValue] {
    guard case .array(let elements) = value.kind else { return [] }
    return elements
  }
}
