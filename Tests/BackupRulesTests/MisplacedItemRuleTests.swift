import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `misplaced-item finds` {
  /// Returns the key `files` with one class for all files.
  private func filesKey(_ dataClass: String) -> String { "files: { '**': '\(dataClass)' }" }

  /// Returns steps that save a file, mark it and back it up.
  private func saved(_ path: String) -> [String] {
    [
      "{ createDirectory: '\(path.split(separator: "/").dropLast().joined(separator: "/"))' }",
      "{ save: '\(path)', size: 1 }", "{ exclude: '\(path)' }", "{ backup: 'a' }",
    ]
  }

  @Test(
    arguments: ["cached", "temporary"],
    ["Documents/a", "Library/a", "\(support)/Caches/a", "Library/Preferences/a"])
  func `marked cached or temporary data outside of the purgeable places`(
    dataClass: String, path: String
  ) async throws {
    let findingLines = try await Trial.verdicts(saved(path), filesKey(dataClass))
    #expect(
      findingLines.filter { !$0.hasPrefix("temporary") } == ["misplaced-item warning 2 \(path)"])
  }

  @Test func `the right place, in its advice`() async throws {
    let advice = try await ["cached", "support"].asyncMap { dataClass in
      try await Trial.findings(saved("Documents/a"), filesKey(dataClass)).first?.advice
    }
    #expect(
      advice == [
        "keep it in Library/Caches",
        "keep it in Library/Application Support, and mark it with isExcludedFromBackup",
      ])
    let old = try await Trial.findings(
      ["{ save: 'Documents/a', size: 1 }"], filesKey("support") + ", system: '5.0'")
    #expect(
      old.map(\.advice) == ["keep it in Library/Caches on this system, which has no mark"])
  }

  @Test func `support data in Documents, as advice`() async throws {
    #expect(
      try await Trial.verdicts(saved("Documents/a"), filesKey("support"))
        == ["misplaced-item advice 2 Documents/a"])
    #expect(try await Trial.verdicts(saved("\(support)/a"), filesKey("support")) == [])
  }

  @Test(arguments: ["Documents/a", "Library/Private Documents/a", "\(support)/a"])
  func `no marked offline data`(path: String) async throws {
    #expect(try await Trial.verdicts(saved(path), filesKey("offline")) == [])
  }

  @Test(arguments: ["cached", "temporary"], ["Library/Caches/a", "tmp/a"])
  func `nothing in places that are purged`(dataClass: String, path: String) async throws {
    let findingLines = try await Trial.verdicts(
      ["{ save: '\(path)', size: 1 }", "{ remove: '\(path)' }"], filesKey(dataClass))
    #expect(findingLines == [])
  }

  @Test(arguments: ["support", "cached", "temporary"])
  func `nothing if the finding on a backup already names the right place`(
    dataClass: String
  ) async throws {
    #expect(
      try await Trial.verdicts(
        ["{ save: 'Documents/a', size: 1 }", "{ backup: 'a' }", "{ remove: 'Documents/a' }"],
        filesKey(dataClass)) == ["recreatable-data-backed-up error 1 Documents/a"])
  }

  @Test(arguments: ["Documents/Inbox/a", "Library/SplashBoard/a"])
  func `nothing that iOS put there`(path: String) async throws {
    let steps = ["{ place: '\(path)', size: 1 }", "{ relaunch: {} }"]
    #expect(try await Trial.verdicts(steps, filesKey("cached")) == [])
  }

  @Test func `nothing that the app moves to its place before iOS acts`() async throws {
    #expect(
      try await Trial.verdicts(
        [
          "{ save: 'Documents/a', size: 1 }", "{ move: 'Documents/a', to: 'Library/Caches/a' }",
          "{ backup: 'a' }",
        ], filesKey("cached")) == [])
  }

  @Test func `under iOS 5.0 no support or offline data in Caches`() async throws {
    for dataClass in ["support", "offline"] {
      #expect(
        try await Trial.verdicts(
          ["{ save: 'Library/Caches/a', size: 1 }", "{ backup: 'a' }"],
          filesKey(dataClass) + ", system: '5.0'") == [])
    }
  }

  @Test(arguments: ["cached", "temporary"])
  func `nothing if another finding reports a lost or wrong mark`(dataClass: String) async throws {
    let (save, mark) = ("{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }")
    let lastSteps = ["{ backup: 'a' }", "{ remove: 'Documents/a' }"]
    let cases = [
      ([save, mark, save] + lastSteps, "", 3), ([mark, save] + lastSteps, "", 2),
      ([save, mark] + lastSteps, ", system: '5.0.1'", 1),
      ([save, "{ exclude: 'Documents/a', using: 'extendedAttribute' }"] + lastSteps, "", 1),
    ]
    for (steps, other, step) in cases {
      #expect(
        try await Trial.verdicts(steps, filesKey(dataClass) + other)
          == ["recreatable-data-backed-up error \(step) Documents/a"])
    }
  }

  @Test(arguments: ["WebKit", "Cookies", "HTTPStorages"])
  func `nothing in directories that iOS fills itself`(_ name: String) async throws {
    #expect(
      try await Trial.verdicts(
        [
          "{ createDirectory: 'Library/\(name)' }", "{ save: 'Library/\(name)/x', size: 1 }",
          "{ exclude: 'Library/\(name)/x' }", "{ backup: 'a' }",
        ], filesKey("cached")) == [])
  }

  @Test func `nothing if another finding already has its advice`() async throws {
    let findings = try await Trial.findings(
      ["{ save: 'Documents/a', size: 1 }", "{ backup: 'a' }"], filesKey("support"))
    #expect(findings.map(\.rule) == ["recreatable-data-backed-up"])
    #expect(
      findings.first?.advice
        == "keep it in Library/Application Support, and mark it with isExcludedFromBackup")
  }
}

extension Array {
  /// Returns the results of a function for each element, in order.
  fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
    var results: [T] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
