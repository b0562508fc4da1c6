import BackupScenarios
import BackupTesting
import BackupVerdicts
import TestSupport
import Testing

@testable import BackupDevice
@testable import BackupFileTree

/// The tables of the articles agree with the code.
@Suite struct ArticleTests {
  @Test func `GoldenFiles has each reason in the words of golden files`() throws {
    let text = try Checkout.article("GoldenFiles")
    for reason in BackupSet.LeftOutReason.examples {
      let words = reason.description { _ in "PATH" }.replacing("998", with: "N")
      #expect(text.contains("\n| `\(words)` | "))
    }
  }

  @Test
  func `GoldenFiles has a title for each event with items, and Exploring has each injected event`()
    throws
  {
    let titles = try Checkout.table("title of the section", in: "GoldenFiles")
      .compactMap { $0[0].firstMatch(of: /\w+/).map { String($0.0) } }
    let withoutItems: Set<RunReport.Event.Kind> = [
      .app, .launch, .killed, .place, .updateSystem, .restart, .lock, .unlock,
    ]
    let kinds = Set(RunReport.Event.Kind.allCases).subtracting(withoutItems)
    #expect(titles.sorted() == kinds.map(\.rawValue).sorted())
    let names = try Checkout.table("injected event", in: "Exploring")
      .flatMap { $0[2].matches(of: /\w+/).map { String($0.0) } }
    #expect(names.sorted() == Scenario.InjectableEvent.allCases.map(\.rawValue).sorted())
  }

  @Test func `TestingAppCode has each method with which a test makes iOS act`() throws {
    let file = "Sources/BackupTesting/Containers/FakeContainer+System.swift"
    let methods = try Checkout.text(of: file).matches(of: /public func (\w+)/).map { "`\($0.1)(" }
    let rows = try Checkout.article("TestingAppCode")
    for method in methods { #expect(rows.contains("\n| \(method)"), "\(method)") }
    #expect(methods.count > 8)
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
