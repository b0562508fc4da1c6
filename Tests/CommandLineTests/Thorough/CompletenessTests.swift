#if os(macOS) || os(Linux)
import BackupDevice
import BackupDiagnostics
import BackupExplorationReports
import BackupReports
import BackupScenarios
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupVerdicts
@testable import backup_testing

/// The articles and scenarios mention each rule, command, option, source and version of iOS. The
/// tests name what is missing.
@Suite struct CompletenessTests {
  private static func article(_ name: String) throws -> [String] {
    try Checkout.article(name).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// Returns the text below a heading. A heading can have several names, separated by commas.
  private static func section(on name: String, in article: String) throws -> String? {
    let lines = try self.article(article)
    let start = lines.firstIndex { line in
      let names = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
      return line.hasPrefix("#") && names.components(separatedBy: ", ").contains(name)
    }
    return start.map { start in
      lines[(start + 1)...].prefix { !$0.hasPrefix("#") }.joined(separator: "\n")
    }
  }

  @Test func `the article Rules lists the rules in the order of the checks`() throws {
    let listed = try Checkout.table("rule", in: "Rules").map { $0[0] }
    let expected = RuleList.names.map { "`\($0)`" }
    let missing = expected.filter { !listed.contains($0) }
    let unknown = listed.filter { !expected.contains($0) }
    #expect(missing.isEmpty, "Rules.md has no row for \(missing)")
    #expect(unknown.isEmpty, "Rules.md has rows for \(unknown), which no rule is named")
    #expect(!missing.isEmpty || listed == expected, "Rules.md has the rules in another order")
  }

  @Test(arguments: RuleList.names)
  func `the article Rules names the severity of each rule`(name: String) throws {
    let rule = try #require(RuleList.all.first { $0.name == name })
    let row = try Checkout.table("rule", in: "Rules").first { $0[0] == "`\(name)`" }
    let severities = row.map { $0[1].components(separatedBy: ", ") } ?? []
    #expect(
      severities.first == rule.severity.rawValue,
      "the row of '\(name)' in Rules.md does not begin with the severity '\(rule.severity.rawValue)'"
    )
  }

  @Test(arguments: RuleList.names)
  func `the article Rules has a section on each rule, with its sources`(name: String) throws {
    let rule = try #require(RuleList.all.first { $0.name == name })
    let section = try #require(
      try Self.section(on: name, in: "Rules"), "Rules.md has no section '### \(name)'")
    let sources = try #require(
      section.components(separatedBy: "Source:").dropFirst().last,
      "the section of '\(name)' in Rules.md does not end in 'Source: …'")
    for source in rule.sources {
      #expect(
        sources.contains("`\(source.key)`"),
        "the section of '\(name)' in Rules.md lacks the source '\(source.key)'")
    }
  }

  @Test func `each rule has a scenario that breaks it`() throws {
    let scenarios = try ScenarioFolder(path: Checkout.scenarioFolder).scenarios()
    let broken = Set(scenarios.flatMap(\.expectations).map(\.rule))
    // A scenario file cannot break the rule on an app's own check.
    let names = RuleList.all.filter { $0.basis != .check }.map(\.name)
    let missing = Set(names).subtracting(broken)
    #expect(missing.isEmpty, "no scenario in Scenarios expects \(missing.sorted())")
  }

  @Test func `the article CommandLine has a row for each command with its operands`() throws {
    let rows = try Checkout.table("command", in: "CommandLine").map { $0[0] }
    let expected = Command.all.map { "`\("\($0.name) \($0.operands)".trimming)`" }
    for command in expected {
      #expect(rows.contains(command), "CommandLine.md has no row for \(command)")
    }
    for row in rows {
      #expect(expected.contains(row), "CommandLine.md has a row for \(row), which no command is")
    }
  }

  @Test(arguments: Command.all.map(\.name))
  func `the article CommandLine names each option`(command name: String) throws {
    let command = try #require(Command.all.first { $0.name == name })
    let article = try Checkout.article("CommandLine")
    let missing = command.options.map(\.name).filter { option in
      !["`\(option)`", "`\(option) "].contains(where: article.contains)
    }
    #expect(missing.isEmpty, "CommandLine.md does not name \(missing) of '\(name)'")
  }

  /// Environment variables of the system, and beginnings of their names.
  private static let systemVariables = [
    "CFFIXED_USER_HOME", "GLIBC_TUNABLES", "HOME", "LC_", "LD_", "LD_PRELOAD",
    "LLVM_PROFILE_FILE", "MALLOC_", "PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
  ]

  @Test func `the help names each environment variable that the sources read`() throws {
    let folder = Checkout.path("Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("EnvironmentVariable.swift") }
    let names = try files.flatMap { file in
      try Checkout.text(of: "Sources/\(file)")
        .matches(of: /(?:nvironment\["([A-Z_]+)"\])|"([A-Z]+_[A-Z_]*)"/)
        .compactMap { $0.1 ?? $0.2 }.map(String.init)
    }
    // The kit itself sets these for processes that it starts.
    let variablesForProcesses =
      /READ_ONLY|BACKUP_TESTING_(APP|APP_VERSION|BUNDLE_IDENTIFIER|CONTAINER|GROUPS|LAUNCH_COUNT|SYSTEM)/
    let readVariables = Set(names).subtracting(Self.systemVariables)
      .filter { $0.wholeMatch(of: variablesForProcesses) == nil }
    let all =
      EnvironmentVariable.testVariables + EnvironmentVariable.outputVariables + [.jobSummary]
    #expect(Set(all.map(\.name)) == readVariables)
    #expect(Set(all.map(\.name).filter { $0.hasPrefix("BACKUP") }) == Set(KitVariables.names))
  }

  @Test func `the overview names each environment variable in the help of a command`() {
    let known = EnvironmentVariable.testVariables.map(\.name)
    for command in Command.all {
      for variable in command.variables where variable.name != EnvironmentVariable.jobSummary.name {
        #expect(known.contains(variable.name))
      }
    }
  }

  @Test func `only one source file and the changelog have the kit's version`() throws {
    let files = try ["Sources", ".github"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: Checkout.path(folder))
        .filter { [".swift", ".md", ".txt", ".yml"].contains(where: $0.hasSuffix) }
        .map { "\(folder)/\($0)" }
    }
    let filesWithVersion = try files.filter { file in
      let text = try Checkout.text(of: file)
      return ["\"", "(", " ", "v"].contains { text.contains("\($0)\(Kit.version)") }
    }
    #expect(
      filesWithVersion.sorted() == [".github/CHANGELOG.md", "Sources/BackupDiagnostics/Kit.swift"])
  }

  @Test(arguments: [
    ("run", SuiteReport.formats.map(\.name)), ("inspect", Inspection.formats.map(\.name)),
    ("explore", ExplorationReport.formats.map(\.name)),
  ])
  func `the article CommandLine names each format`(command: String, formats: [String]) throws {
    let text = try Self.article("CommandLine").joined(separator: " ")
    let sentence = try #require(
      text.components(separatedBy: "`\(command) --format` takes ").dropFirst().first,
      "CommandLine.md does not say what '\(command) --format' takes")
    let words = sentence.prefix { $0 != ";" && $0 != "." }
    for format in formats {
      #expect(
        words.contains("`\(format)`"),
        "CommandLine.md does not name the format '\(format)' of '\(command)'")
    }
  }

  @Test func `the article WhatIOSDoes has a row for each source with its address`() throws {
    let rows = try Checkout.table("source key", in: "WhatIOSDoes")
    for source in SystemProfile.Source.allCases {
      let row = rows.first { $0[0] == "`\(source.key)`" }
      #expect(row != nil, "WhatIOSDoes.md has no row for the source '\(source.key)'")
      guard let row, let address = source.address else { continue }
      #expect(
        row.last == address.replacing("https://", with: ""),
        "the row of '\(source.key)' in WhatIOSDoes.md has another address than the code")
    }
    #expect(rows.count == SystemProfile.Source.allCases.count, "WhatIOSDoes.md has other sources")
  }

  @Test func `the article WhatIOSDoes has each statement of a source once, in the code's order`()
    throws
  {
    let places = try Checkout.table("source", in: "WhatIOSDoes").map { row in
      let source = SystemProfile.Source.allCases.firstIndex { "`\($0.key)`" == row[0] }
      let subject = SystemProfile.Subject.allCases.firstIndex { $0.rawValue == row[1] }
      #expect(row.count == 3 && row[2].hasSuffix("."), "\(row)")
      return [try #require(source, "\(row)"), try #require(subject, "\(row)")]
    }
    for (former, next) in zip(places, places.dropFirst()) {
      #expect(former.lexicographicallyPrecedes(next), "\(former) stands before \(next)")
    }
    #expect(
      Set(places.map { $0[0] }).count == SystemProfile.Source.allCases.count,
      "WhatIOSDoes.md does not say what each source says")
  }

  @Test func `the article WhatIOSDoes has each version of iOS in its table of eras`() throws {
    let versions = SystemProfile.all.map(\.version.description)
    let listed = try Checkout.table("iOS", in: "WhatIOSDoes").flatMap { row in
      row[0].components(separatedBy: ", ").flatMap { word -> [String] in
        let ends = word.components(separatedBy: " to ").map { versions.firstIndex(of: $0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil else { return [word] }
        return Array(versions[first...max(first, last)])
      }
    }
    let missing = versions.filter { !listed.contains($0) }
    #expect(missing.isEmpty, "WhatIOSDoes.md has no era for iOS \(missing)")
    #expect(listed.allSatisfy(versions.contains), "WhatIOSDoes.md has eras of unknown versions")
  }
}

extension String {
  fileprivate var trimming: String { trimmingCharacters(in: .whitespaces) }
}
#endif
