import Foundation
import Testing

@testable import BackupReports

@Suite struct `Coverage in JSON` {
  /// Coverage with one segment.
  private func coverage(_ segment: String) throws -> Coverage {
    let file = "{ \"filename\": \"/a.swift\", \"segments\": [\(segment)] }"
    return try Coverage(
      json: Data("{ \"data\": [{ \"files\": [\(file)] }] }".utf8), date: .distantPast)
  }

  @Test func `is refused if a segment is not understood`() throws {
    #expect(try coverage("[3, 1, 5, true]").runCount(file: "/a.swift", line: 4, column: 1) == 5)
    for segment in ["[3, 1, 5]", "[3, \"1\", 5, true]", "[]"] {
      #expect(throws: CocoaError.self) { try coverage(segment) }
    }
  }

  @Test func `is not used for a file whose date is unknown`() throws {
    let coverage = try coverage("[3, 1, 5, true]")
    #expect(throws: (any Error).self) { try coverage.isOlder(than: "/missing/a.swift") }
  }
}
