import Foundation
import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// The file `app.json5` declares classes for the scenarios in its folder.
@Suite struct AppFileTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private var scenarios: String { "\(folder.path)/Scenarios" }

  /// Writes scenarios that save two files. `scenarios` has the key `files` of each scenario by its
  /// id.
  private func write(_ scenarios: [String: String], appFile: String) throws {
    for (id, files) in scenarios {
      try folder.write(
        """
        { title: 'A trial', \(files) steps: [
          { save: 'Documents/a', size: 1 }, { save: 'Library/b', size: 1 }, { backup: 'a' },
        ] }
        """, to: "Scenarios/\(id).json5")
    }
    try folder.write(appFile, to: "Scenarios/app.json5")
  }

  private func classes(of scenario: Scenario?) -> [String] {
    (scenario?.files?.promises ?? []).map { "\($0.pattern) \($0.dataClass)" }
  }

  @Test func `a scenario's own patterns come first, and replace the same patterns`() throws {
    try write(
      ["a": "", "x/b": "files: { 'Documents/a': 'support', 'Library/**': 'offline' },"],
      appFile: "{ files: { 'Documents/**': 'critical', 'Library/**': 'support' } }")
    let found = try ScenarioFolder(path: scenarios).scenarios()
    #expect(found.map(\.id) == ["a", "x/b"])
    #expect(classes(of: found[0]) == ["Documents/** critical", "Library/** support"])
    #expect(
      classes(of: found[1]) == [
        "Documents/a support", "Library/** offline", "Documents/** critical",
      ])
  }

  @Test func `the nearest file counts, however the scenario's path is given`() throws {
    try write(["a": "", "x/b": "", "y/z/c": ""], appFile: "{ files: { '**': 'cached' } }")
    try folder.write("{ files: { '**': 'support' } }", to: "Scenarios/x/app.json5")
    let wholeFolder = try ScenarioFolder(path: scenarios)
    #expect(
      try wholeFolder.scenarios().map { classes(of: $0) } == [
        ["** cached"], ["** support"], ["** cached"],
      ])
    for file in wholeFolder.files {
      let scenario = try Scenario(contentsOf: file.path, id: file.id)
      #expect(
        try classes(of: scenario) == classes(of: wholeFolder.selecting(file.id)?.scenarios().first))
    }
    // A test may name a folder in `Scenarios`.
    let subfolder = try ScenarioFolder(path: "\(scenarios)/y/z").scenarios()
    #expect(subfolder.map { classes(of: $0) } == [["** cached"]])
  }

  @Test func `for a relative path, a folder Scenarios above the working directory counts too`() {
    func paths(_ file: String, _ id: String, _ workingDirectory: String) -> [String] {
      AppFile.paths(above: file, id: id, from: workingDirectory)
    }
    let above = ["/p/Scenarios/x/app.json5", "/p/Scenarios/app.json5"]
    #expect(paths("./a.json5", "a", "/p/Scenarios/x") == ["./app.json5", above[1]])
    #expect(paths("../y/a.json5", "a", "/p/Scenarios/x/z") == ["../y/app.json5"] + above)
    #expect(
      paths("x/y/a.json5", "y/a", "/p/Scenarios") == ["x/y/app.json5", "x/app.json5", above[1]])
    #expect(paths("Scenarios/a.json5", "a", "/p/Scenarios/x") == ["Scenarios/app.json5"])
    #expect(paths("x/a.json5", "a", "/p") == ["x/app.json5"])
  }

  @Test func `its mistakes are reported once, at their positions`() throws {
    try write(
      ["a": "", "b": ""], appFile: "{ files: {\n  'Documents/**': 'crtical' }, step: [] }")
    let mistaken = try ScenarioFolder(path: scenarios).read().mistaken
    #expect(mistaken.map(\.file.path) == ["\(scenarios)/app.json5"])
    #expect(
      mistaken.flatMap(\.mistakes).map { "\($0.position.line):\($0.position.column)" } == [
        "2:19", "2:32",
      ])
    let error = #expect(throws: RunError.self) {
      try Scenario(contentsOf: "\(scenarios)/a.json5", id: "a")
    }
    #expect(error?.diagnostics == mistaken.first?.mistakes)
  }

  @Test(arguments: ["App.json5", "app.json", "x/APP.JSONC"])
  func `a scenario cannot have a name that is similar to app.json5`(name: String) throws {
    try write(["a": ""], appFile: "{ files: {} }")
    try folder.write("{}", to: "Scenarios/\(name)")
    let error = #expect(throws: RunError.self) { try ScenarioFolder(path: scenarios) }
    #expect(error?.description.hasPrefix("\(scenarios)/\(name): a scenario cannot have") == true)
  }

  @Test func `a link in its place is refused`() throws {
    try write(["a": "", "b": ""], appFile: "{ files: {} }")
    try FileManager.default.moveItem(atPath: "\(scenarios)/app.json5", toPath: "\(folder.path)/c")
    try FileManager.default.createSymbolicLink(
      atPath: "\(scenarios)/app.json5", withDestinationPath: "../c")
    let mistaken = try ScenarioFolder(path: scenarios).read().mistaken
    #expect(mistaken.count == 1)
    #expect(mistaken.first?.mistakes.first?.message.hasPrefix("this is a link") == true)
  }

  @Test func `a pattern that no scenario uses is reported once, after all scenarios`()
    async throws
  {
    try write(
      ["a": "", "b": "files: { 'Documents/none': 'cached' },"],
      appFile: """
        { files: {
          'Library/key': 'secret', 'Library/**': 'critical', 'group.x.y:/**': 'support',
          'Documents/**': 'critical',
        } }
        """)
    let found = try ScenarioFolder(path: scenarios).scenarios()
    let results = await ScenarioSuite(goldens: nil, recordMode: .never).run(found)
    let idle = results.flatMap(\.problems).filter { $0.kind == .idle }.map(\.message)
    #expect(
      idle.count == 1 && idle[0].hasPrefix("pattern 'Documents/none' (cached) matched no file"))
    var use = SharedFileUse()
    for result in results { use.add(result) }
    #expect(
      use.notes
        == "note: \(scenarios)/app.json5:2:54: 'group.x.y:/**' (support) matched no file in any "
        + "scenario, so nothing was checked against it; correct the pattern, remove it, or add a step that "
        + "saves such a file\n")
    // If a scenario did not run completely, it is not known which patterns it uses.
    let skipped = try Scenario(text: "{ title: 'A', steps: [{ perform: 'a' }] }")
      .adding(sharedPromises: #require(found[0].sharedPromises))
    use.add(try #require(await ScenarioSuite(goldens: nil, recordMode: .never).run(skipped)))
    #expect(use.notes.isEmpty)
  }

  @Test(
    arguments: [
      (["**": .cached], "'**' (support) in A.files is cached in B.files"),
      (["a": .secret, "**": .support], "'a' (secret) is in B.files, but not in A.files"),
      (["a": .secret], "'**' (support) is in A.files, but not in B.files"),
    ] as [(KeyValuePairs<String, DataClass>, String)])
  func `two lists for all scenarios must be the same`(
    other: KeyValuePairs<String, DataClass>, difference: String
  ) throws {
    func list(_ files: KeyValuePairs<String, DataClass>, _ name: String) throws -> FilePromises {
      try FilePromises(files, at: .shared(list: name, nil))
    }
    let scenario = try Scenario(text: "{ title: 'A', files: { '**': 'offline' }, steps: [] }")
      .adding(sharedPromises: list(["**": .support], "A.files"))
    // The scenario's own pattern decides, but the two lists must still agree.
    #expect(classes(of: scenario) == ["** offline"])
    #expect(throws: Never.self) {
      try scenario.adding(sharedPromises: list(["**": .support], "B.files"))
    }
    let error = #expect(throws: RunError.self) {
      try scenario.adding(sharedPromises: list(other, "B.files"))
    }
    #expect(error?.description.contains(difference) == true)
  }
}
