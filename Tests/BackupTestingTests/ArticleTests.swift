import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupDevice
@testable import BackupFileTree

/// The tables of the articles, which repeat words of the code.
@Suite struct ArticleTests {
  @Test func `GoldenFiles has each reason in the words of golden files`() throws {
    let path = try ContainerPath("PATH")
    let reasons: [BackupSet.LeftOutReason] = [
      .location(path), .systemManaged(path), .outsideRoots(path), .bundle(path),
      .ownMark(.resourceValue), .ownMark(.extendedAttribute), .markedDirectory(path), .saveRemnant,
      .databaseSibling(of: path), .pathTooLong(bytes: 998), .specialFile, .unreadable("…"),
      .switchedOff,
    ]
    let text = try Checkout.article("GoldenFiles")
    for reason in reasons {
      let words = reason.description.replacing("998", with: "N")
      #expect(text.contains("\n| `\(words)` | "))
    }
  }

  @Test func `the README is at most 8 KB`() throws {
    #expect(try Checkout.text(of: "README.md").utf8.count <= 8 << 10)
  }

  @Test func `Rules has a row for each rule that the README names`() throws {
    let table = try Checkout.text(of: "README.md").split(separator: "\n")
      .drop { !$0.hasPrefix("| what goes wrong") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    let rules = table.flatMap { row in
      row.split(separator: "|").last?.split(separator: "`").filter { $0.contains("-") } ?? []
    }
    #expect(rules.count == 10)
    let article = try Checkout.article("Rules")
    for rule in rules { #expect(article.contains("\n| `\(rule)` | ")) }
  }
}
