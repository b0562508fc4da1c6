#if os(macOS) || os(Linux)
import BackupContainer
import BackupVerdicts
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios

/// The article ResultsFormat describes exactly the JSON that the kit writes.
@Suite struct ResultsFormatTests {
  /// The sections of the article, by the key of an object and the section with this key.
  private static let sections: [String: String] = [
    "The results.origin": "The origin", "The results.scenarios": "A scenario",
    "The results.tests": "A scenario",
    "A scenario.problems": "A problem", "A scenario.goldenItems": "A golden item",
    "A scenario.runs": "A run", "A scenario.exploration": "An exploration",
    "A problem.code": "A line of code", "A run.findings": "A finding", "A run.events": "An event",
    "A run.items": "An item", "A run.calls": "A call", "An item.states": "A state",
    "A call.code": "A line of code", "An exploration.stopped": "A stopped trace",
    "An exploration.counterexamples": "A counterexample",
    "An exploration.points": "The points of a step",
    "The points of a step.parts": "A part of the points",
    "A part of the points.problem": "The problem of a point",
    "What explore writes.scenarios": "An exploration",
    "What explore writes.updateDependences": "An update dependence",
  ]

  @Test func `the article has each key in the JSON, and no other`() async throws {
    var written: Set<String> = []
    let (report, explorations) = try await examples()
    let results = try Self.object(try OutputFormat.json.text(report))
    Self.add(keysOf: results, in: "The results", to: &written)
    Self.add(propertiesOf: report.scenarios, in: "A scenario", to: &written)
    Self.add(keysOf: explorations, in: "What explore writes", to: &written)
    // The article says in its text that `explore` adds these keys.
    written.subtract(["An exploration.id", "An exploration.file"])
    var documented: Set<String> = []
    for section in Set(Self.sections.values).union(["The results", "What explore writes"]) {
      for row in try Checkout.table("key", in: "ResultsFormat", below: section) {
        documented.formUnion(row[0].matches(of: /`(\w+)`/).map { "\(section).\($0.1)" })
      }
    }
    #expect(written.subtracting(documented).sorted() == [], "keys that the article lacks")
    #expect(documented.subtracting(written).sorted() == [], "keys that no example has")
  }

  @Test func `the article has each value of a kind, a verdict and a format, and no other`() throws {
    func words(_ section: String, _ key: String) throws -> String {
      try Checkout.table("key", in: "ResultsFormat", below: section)
        .first { $0[0].contains("`\(key)`") }?.last ?? ""
    }
    let tables: [(words: [String], text: String)] = [
      (ScenarioResult.Verdict.allCases.map(\.rawValue), try words("A scenario", "verdict")),
      (RunReport.Event.Kind.allCases.map(\.rawValue), try words("An event", "kind")),
      (ChangeCall.Kind.allCases.map(\.rawValue), try words("A call", "kind")),
      (Scenario.Problem.Kind.words, try words("A problem", "kind")),
      (Scenario.Severity.allCases.map(\.rawValue), try words("A problem", "severity")),
      (ItemState.allCases.map(\.word) + ["missing"], try words("A state", "state")),
    ]
    for (words, text) in tables {
      let documented = text.matches(of: /`([\w-]+)`/).map { String($0.1) }
      #expect(documented.sorted() == words.sorted(), "\(text)")
    }
    let format = try Self.object(OutputFormat<SuiteReport>.json.text(SuiteReport()))["format"]
    #expect(try words("The results", "format") == "\(format ?? "")")
  }

  /// Adds the keys of an object and of its inner objects, for example `An event.kind`.
  private static func add(keysOf value: Any, in section: String, to keys: inout Set<String>) {
    if let list = value as? [Any] {
      for element in list { add(keysOf: element, in: section, to: &keys) }
    } else if let object = value as? [String: Any] {
      for (key, value) in object {
        let name = "\(section).\(key)"
        keys.insert(name)
        if let section = sections[name] {
          add(keysOf: value, in: section, to: &keys)
        } else if name != "An event.byClass" {
          let objects = value as? [[String: Any]] ?? (value is [String: Any] ? [[:]] : [])
          #expect(objects.isEmpty, "no section has \(name)")
        }
      }
    }
  }

  /// Adds the properties of a value and of its inner values. They are keys, even if they are nil in
  /// the examples.
  private static func add(propertiesOf value: Any, in section: String, to keys: inout Set<String>) {
    let mirror = Mirror(reflecting: value)
    for (name, value) in mirror.children {
      guard mirror.displayStyle == .struct, let name else {
        add(propertiesOf: value, in: section, to: &keys)
        continue
      }
      let key = "\(section).\(name == "dataClass" ? "class" : name)"
      keys.insert(key)
      // The keys of a problem are not its properties.
      guard let section = sections[key], section != "A problem" else { continue }
      add(propertiesOf: value, in: section, to: &keys)
    }
  }

  private static func object(_ text: String) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any])
  }

  /// Returns results and explorations that together have each kind of object.
  private func examples() async throws -> (report: SuiteReport, explorations: [String: Any]) {
    let workspace = try Workspace(scenarios: [
      "golden": Sample.matrix, "everything": Sample.everything,
    ])
    _ = try await workspace.run("run", "--filter", "golden")
    try workspace.replace("size: 2000", with: "size: 3000", in: "Scenarios/golden.json5")
    try workspace.write("", to: "Golden/orphan.golden")
    try workspace.write("Package(name: \"Cinema\")", to: "Package.swift")
    try workspace.write(String(repeating: "a", count: 40), to: ".git/HEAD")
    let run = try await workspace.run("run", "--format", "json")
    let explore = try await Workspace(scenarios: Self.explored).run("explore", "--format", "json")
    let explorations = try Self.object(explore.output)
    let explored = explorations["scenarios"] as? [[String: Any]] ?? []
    let exploration = try JSONSerialization.data(
      withJSONObject: explored.first { ($0["counterexamples"] as? [Any])?.isEmpty == false } ?? [:])
    // Some objects exist only if tests run an app's own code, so they are inserted here.
    let code = #"{"function":"f()","file":"A.swift","line":3,"isAsynchronous":false}"#
    let additions = [
      "runCount": #""exploration":\#(String(decoding: exploration, as: UTF8.self))"#,
      "details": #""code":[\#(code)]"#, "fails": #""runs":"iOS 18, iCloud""#,
      "moreItems": #""calls":[{"step":"1","kind":"save","path":"a","code":\#(code)}]"#,
    ]
    let text = additions.sorted { $0.key < $1.key }.reduce(run.output) { text, addition in
      text.replacing(/"(\w+)" ?:/) { match in
        match.1 == addition.key ? "\(addition.value),\(match.0)" : "\(match.0)"
      }
    }
    var report = try JSONDecoder().decode(SuiteReport.self, from: Data(text.utf8))
    report.failedTests = [ScenarioReport(test: "a test", in: "Tests.swift")]
    report.obstacle = "the tests have not ended"
    report.orphansFail = true
    report.unselectedScenarioCount = 1
    return (report, explorations)
  }

  /// Scenarios to explore: one with a finding, one with a step that fails, one that is explored
  /// from step 2 on, one that depends on updates, and one that is not explored.
  private static let explored = [
    "diary": """
    {
      title: "A diary", files: { "Documents/**": "critical" },
      steps: [
        { save: "Documents/diary.txt", contents: "old" },
        { save: "Documents/diary.txt", contents: "newer", how: "inPlace" },
        { backup: "b" },
      ],
    }
    """,
    "copy": """
    {
      title: "A copy", files: { "Documents/**": "critical" },
      steps: [
        { createDirectory: "Documents/f" }, { save: "Documents/f/1", contents: "1" },
        { backup: "b" }, { copy: "Documents/f", to: "Documents/g" },
      ],
    }
    """,
    "part": """
    {
      title: "A part", explore: { from: 2, reason: "the first is old" },
      steps: [{ save: "Documents/a", size: 1 }, { save: "Documents/b", size: 1 }],
    }
    """,
    "film": """
    {
      title: "A film", files: { "Documents/**": "offline" },
      steps: [
        { save: "Documents/film", size: 9 }, { exclude: "Documents/film" }, { backup: "b" },
        { read: "Documents/film", ifMissing: "skip" },
      ],
    }
    """,
    "performing": Sample.performing,
  ]
}
#endif
