#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import backup_testing

@Suite struct `The advice of the command line` {
  @Test func `can be about one class and the app's oldest version of iOS`() throws {
    let text = try text("offline", "--system", "5.0.1")
    #expect(text.hasPrefix("offline, oldest iOS: 5.0.1\n  is      wanted without a network; "))
    #expect(text.contains("\n  place   Library/Application Support; also Documents, if the file"))
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("com.apple.MobileBackup, one byte of value 1 under iOS 5.0.1"))
    #expect(text.components(separatedBy: "oldest iOS:").count == 2)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func `is about all classes and versions of iOS by default`() throws {
    let text = try text()
    for dataClass in ["critical", "support", "offline", "cached", "temporary", "secret"] {
      #expect(text.contains("\(dataClass), oldest iOS: "))
    }
  }

  @Test func `can be printed as JSON`() throws {
    let text = try text("cached", "--format", "json")
    let table = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let entries = try #require(table?["advice"] as? [[String: Any]])
    #expect(entries.map { $0["class"] as? String } == ["cached"])
  }

  @Test func `reports an unknown class or version of iOS`() {
    let classError = #expect(throws: CommandError.self) { try text("ofline") }
    #expect(classError?.description.contains("did you mean 'offline'?") == true)
    let systemError = #expect(throws: CommandError.self) {
      try text("offline", "--system", "four")
    }
    #expect(systemError?.description.hasPrefix("--system: ") == true)
  }

  private func text(_ arguments: String...) throws -> String {
    try Command.advice(try Arguments(arguments, options: Command.advise.options))
  }
}
#endif
