#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import backup_testing

@Suite struct `The schema of scenario files` {
  @Test func `is printed as JSON by default`() throws {
    let text = try text()
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    #expect(try self.text("--format", "json") == text)
  }

  @Test func `is printed as tables for readers`() throws {
    let tables = try text("--format=markdown")
    #expect(tables.hasPrefix("| key | value | default | meaning |\n|---|---|---|---|\n| `title` "))
    #expect(tables.contains("\n| **`save`** | path |"))
  }

  @Test func `has no other format, and the command takes no operand`() {
    let error = #expect(throws: CommandError.self) { try text("--format", "markdwon") }
    #expect(error?.description.contains("did you mean 'markdown'?") == true)
    #expect(throws: CommandError.self) { try text("Scenarios") }
  }

  private func text(_ words: String...) throws -> String {
    let arguments = try Arguments(words, options: Command.schema.options)
    try Command.schema.requireOperands(in: arguments)
    return try Command.schemaText(arguments)
  }
}
#endif
