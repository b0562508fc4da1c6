import Foundation
import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A folder of scenarios` {
  private let text = "{ title: 'A trial', steps: [{ backup: 'a' }] }"

  /// Calls a function with a folder that contains these files.
  private func withFolder(
    _ names: [String], _ body: (TestFolder) throws -> Void
  ) throws {
    let folder = try TestFolder()
    for name in names { try folder.write(text, to: name) }
    try body(folder)
  }

  @Test(arguments: ["../a", "/a", "a/../../b", ""])
  func `has no scenario whose golden file would be elsewhere`(id: String) throws {
    try withFolder(["a.json5"]) { folder in
      #expect(throws: RunError.self) {
        try Scenario(contentsOf: "\(folder.path)/a.json5", id: id)
      }
      #expect(throws: RunError.self) { try Scenario(text: text, id: id) }
    }
  }

  @Test func `has the scenario files in it and its subfolders, sorted by id`() throws {
    let names = [
      "b.json5", "a/z.json", "a/b/c.jsonc", "notes.txt", "scenario.schema.json", ".hidden.json5",
      ".git/x.json5", "json5", "a.b.json5", "UP.JSON5",
    ]
    try withFolder(names) { folder in
      let scenarios = try ScenarioFolder(path: folder.path + "/")
      #expect(scenarios.path == folder.path)
      #expect(scenarios.files.map(\.id) == ["UP", "a.b", "a/b/c", "a/z", "b"])
      #expect(scenarios.files.last?.path == "\(folder.path)/b.json5")
      #expect(try scenarios.scenarios().map(\.id) == scenarios.files.map(\.id))
      #expect(try scenarios.scenarios().last?.file == "\(folder.path)/b.json5")
    }
  }

  @Test(arguments: [
    ("l.json5", "a.json5", true), ("loop", ".", true), ("dead.json5", "none", true),
    ("notes", "a.json5", false), ("dead", "none", false),
  ])
  func `refuses links that may lead to scenarios`(
    link: String, target: String, isRefused: Bool
  ) throws {
    try withFolder(["a.json5", "sub/b.json5"]) { folder in
      let path = "\(folder.path)/\(link)"
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
      let found = Result { () throws(RunError) in try ScenarioFolder(path: folder.path) }
      switch found {
      case .success(let scenarios):
        #expect(!isRefused && scenarios.files.map(\.id) == ["a", "sub/b"])
      case .failure(let error):
        #expect(isRefused && error.description.hasPrefix("\(path): this is a link"))
      }
    }
  }

  @Test(
    arguments: [
      ("**", ["a", "a/b", "a/c/d", "e"]), ("*", ["a", "e"]), ("a/**", ["a", "a/b", "a/c/d"]),
      ("a/*", ["a/b"]), ("**/d", ["a/c/d"]), ("?", ["a", "e"]), ("none", []),
    ])
  func `is narrowed by a glob`(glob: String, ids: [String]) throws {
    try withFolder(["a.json5", "a/b.json5", "a/c/d.json5", "e.json5"]) { folder in
      let found = try ScenarioFolder(path: folder.path).selecting(glob: glob)
      #expect(found.files.map(\.id) == ids)
    }
  }

  @Test func `refuses a glob that no id can match`() throws {
    try withFolder(["a.json5"]) { folder in
      let scenarios = try ScenarioFolder(path: folder.path)
      let error = #expect(throws: RunError.self) { try scenarios.selecting(glob: "/a") }
      #expect(error?.description.hasPrefix("the filter '/a' is absolute") == true)
    }
  }

  @Test func `refuses a glob if a file has too long a path for it`() throws {
    let long = String(repeating: "\(String(repeating: "a", count: 250))/", count: 5)
    try withFolder(["a.json5", "\(long)b.json5"]) { folder in
      let scenarios = try ScenarioFolder(path: folder.path)
      let error = #expect(throws: RunError.self) { try scenarios.selecting(glob: "**") }
      #expect(error?.description.hasPrefix("\(folder.path)/\(long)b.json5: for a filter") == true)
    }
  }

  @Test func `is narrowed to one file by its path or id`() throws {
    try withFolder(["a.json5", "b/a.json5"]) { folder in
      let scenarios = try ScenarioFolder(path: folder.path)
      #expect(scenarios.selecting("b/a")?.files.map(\.id) == ["b/a"])
      #expect(scenarios.selecting("\(folder.path)/a.json5")?.files.map(\.id) == ["a"])
      #expect(scenarios.selecting("c") == nil)
    }
  }

  @Test(
    arguments: [
      ["a.json5", "a.json"], ["x/A.json5", "x/a.json5"], ["\u{E9}.json", "E\u{301}.json"],
    ])
  func `refuses two files that would share a golden file`(names: [String]) throws {
    try withFolder(["0.json5"] + names) { folder in
      let error = try #require(throws: RunError.self) { try ScenarioFolder(path: folder.path) }
      #expect(error.description.hasSuffix(" would share a golden file; rename all but one"))
      #expect(names.allSatisfy { error.description.contains("\(folder.path)/\($0)") })
    }
  }

  @Test func `that does not exist is an error`() {
    let error = #expect(throws: RunError.self) { try ScenarioFolder(path: "/no/such") }
    #expect(
      error?.description
        == "/no/such: no such folder; name the folder that contains your scenario files")
  }

  @Test func `reports the mistakes of all its files`() throws {
    try withFolder(["a.json5"]) { folder in
      try folder.write("{", to: "b.json5")
      try folder.write("{ title: 'T' }", to: "c.json5")
      let error = try #require(throws: RunError.self) {
        try ScenarioFolder(path: folder.path).scenarios()
      }
      #expect(
        error.diagnostics.map(\.file) == ["\(folder.path)/b.json5", "\(folder.path)/c.json5"])
    }
  }

  @Test func `reports a file that cannot be read`() {
    let error = #expect(throws: RunError.self) {
      try Scenario(contentsOf: "/no/such.json5", id: "a")
    }
    #expect(
      error?.description.hasPrefix("/no/such.json5:1:1: error: the file cannot be read") == true)
  }
}
