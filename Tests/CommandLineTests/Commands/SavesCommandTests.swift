#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// `saves`, which lists the places of an app's code that use storage.
@Suite(.enabled(if: hasCompiler, "SKIPPED: there is no 'swiftc' in PATH"))
struct SavesCommandTests {
  private static let store = """
    import Foundation

    struct Store {
      let folder: URL

      func keep(_ data: Data) throws {
        var file = folder.appendingPathComponent("a")
        try data.write(to: file, options: .atomic)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try file.setResourceValues(values)
      }

      func clear() throws {
        try FileManager.default.removeItem(at: folder)
        write(to: folder)
      }

      /// The app's own, which is no function of the system.
      private func write(to folder: URL) {}
    }
    """

  private struct Report: Decodable {
    struct Place: Decodable { let line: Int }
    struct Row: Decodable {
      let place: Place
      let advice: String?
    }
    let places: [Row]
  }

  /// A package's sources and tests with an index, as a build leaves it.
  private func app(_ source: String = store) async throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(source, to: "Sources/App/Store.swift")
    try workspace.write(
      "import Foundation\nlet home = NSHomeDirectory()\n", to: "Tests/AppTests/Test.swift")
    let files = "Sources/App/Store.swift Tests/AppTests/Test.swift"
    for file in files.split(separator: " ") {
      let compile = try await workspace.shell(
        "swiftc -module-name App -index-file -index-file-path \(file) -o \(file.replacing("/", with: "-")).o "
          + "-index-store-path .build/debug/index/store -index-ignore-system-modules \(files)")
      try #require(compile.status == 0, "\(compile.errors)")
    }
    return workspace
  }

  /// Coverage in which `keep` ran three times, and `clear` did not run.
  private func writeCoverage(in workspace: Workspace) throws {
    let segments = "[[6,36,3,true,true,false],[12,4,0,false,false,false],[14,24,0,true,true,false]]"
    try workspace.write(
      """
      {"data": [{"files": [
        {"filename": "\(workspace.url("Sources/App/Store.swift").path)", "segments": \(segments)}
      ]}]}
      """, to: ".build/debug/codecov/App.json")
  }

  @Test func `the app's own uses of storage are listed, by symbol`() async throws {
    let workspace = try await app()
    let run = try await workspace.run("saves")
    #expect(run.errors == "")
    #expect(
      run.output == """
        Sources/App/Store.swift
          8    saves               Data.write(to:options:) in Store.keep(_:)
          10   marks               URLResourceValues.isExcludedFromBackup in Store.keep(_:)
          15   removes             FileManager.removeItem(at:) in Store.clear()

        3 places; nothing says which of them ran

        """)
    #expect(run.status == 0)
  }

  @Test func `coverage says which places ran`() async throws {
    let workspace = try await app()
    try writeCoverage(in: workspace)
    let run = try await workspace.run("saves", "--fail-under", "60")
    #expect(run.output.contains("Data.write(to:options:) in Store.keep(_:)\n       ran 3 times\n"))
    #expect(run.output.contains("in Store.clear()\n       never ran\n"))
    #expect(run.output.contains("{ perform: \"clear\" },"))
    #expect(run.output.contains("\n2 of 3 places ran (66 %)\n"))
    #expect(run.status == 0)
    let strict = try await workspace.run("saves", "--fail-under", "67", "--format", "github")
    #expect(
      strict.output.contains(
        "::notice file=Sources/App/Store.swift,line=15,col=29,title=no test runs this::"))
    #expect(
      strict.output.contains(
        "::error title=backup-testing::2 of 3 places ran (66 %25); this is less than 67 %25\n"))
    #expect(strict.status == 1)
  }

  @Test func `results say which scenarios ran a place, and what became of it`() async throws {
    let workspace = try await app()
    let code =
      "\"file\": \"Sources/App/Store.swift\", \"function\": \"Store.keep(_:)\", \"isAsynchronous\": false"
    try workspace.write(
      """
      {"format": 3, "scenarios": [{
        "id": "movie", "file": "movie.json5", "title": "", "tags": [], "verdict": "passed",
        "problems": [], "runCount": 1, "runs": [{
          "system": "26", "backups": "iCloud", "findings": [], "moreItems": 0,
          "events": [
            {"step": "1", "line": 1, "kind": "app", "summary": ""},
            {"step": "2", "line": 2, "kind": "backup", "summary": ""},
            {"step": "3", "line": 3, "kind": "purge", "summary": ""}],
          "items": [{"path": "Library/a", "states": [
            {"event": 0, "state": "mark"}, {"event": 2, "state": "missing", "why": "purged"}]}],
          "calls": [
            {"step": "1", "kind": "save", "path": "Library/a", "code": {"line": 8, \(code)}},
            {"step": "1", "kind": "save", "path": "Library/a", "code": {"line": \(Int.min), \(code)}},
            {"step": "1", "kind": "mark", "path": "Library/a", "code": {"line": 11, \(code)}}]
        }]
      }]}
      """, to: "results.json")
    let run = try await workspace.run("saves", "results.json")
    #expect(run.output.contains("in Store.keep(_:)\n       ran in movie (marked, purged)\n  10 "))
    #expect(run.output.contains("in Store.keep(_:)\n       ran in movie (marked, purged)\n  15 "))
    #expect(run.output.contains("not run by a scenario"))
  }

  @Test func `advice is given by the look of the code`() async throws {
    let workspace = try await app(
      """
      import Foundation

      struct Library {
        var lastPath = ""

        func exclude(_ url: URL) throws {
          var url = url
          var values = URLResourceValues()
          values.isExcludedFromBackup = true
          try url.setResourceValues(values)
        }
        func lose(_ data: Data, at file: URL) throws {
          try exclude(file)
          try data.write(to: file, options: .atomic)
        }
        func keep(_ data: Data, in folder: URL) throws {
          try exclude(folder)
          try data.write(to: folder.appendingPathComponent("a"), options: .atomic)
        }
        mutating func remember(_ file: URL) { lastPath = file.path }
        func beside() -> String { NSHomeDirectory() + "/x" }
        func download(_ data: Data, to file: URL) throws { try data.write(to: file) }
      }
      """)
    let run = try await workspace.run("saves", "--format", "json")
    let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    let advice = report.places.filter { $0.advice != nil }.map { row in
      "\(row.place.line): \(row.advice?.prefix(28) ?? "")"
    }
    #expect(
      advice == [
        "14: likely: this loses the mark ", "20: likely: a stored path is wro",
        "21: likely: a device refuses fil", "22: perhaps: what can be downloa",
      ])
  }

  @Test func `a call through the app's own protocol is found`() async throws {
    let workspace = try await app(
      """
      import Foundation

      protocol Removing { func removeItem(at url: URL) throws }
      extension FileManager: Removing {}
      func drop(_ files: any Removing, _ url: URL) throws { try files.removeItem(at: url) }
      """)
    let run = try await workspace.run("saves")
    #expect(
      run.output.contains("  5    removes             FileManager.removeItem(at:) in drop(_:_:)"))
    #expect(run.output.contains("\n1 place; "))
  }

  @Test func `a report offers places for findings without a line of code`() async throws {
    let workspace = try await app(
      """
      import Foundation

      struct Store {
        let folder: URL

        func keep(_ data: Data, as id: Int) throws {
          try data.write(to: folder.appendingPathComponent("\\(id).mp4"))
        }

        func remember(_ data: Data) throws {
          var file = folder.appendingPathComponent("Settings.json")
          try data.write(to: file)
          var values = URLResourceValues()
          values.isExcludedFromBackup = true
          try file.setResourceValues(values)
        }

        func forget() throws {
          try FileManager.default.removeItem(at: folder.appendingPathComponent("Settings.json"))
        }
      }
      """)
    func problem(
      _ rule: String, _ path: String, _ details: String = "", _ code: String = ""
    ) -> String {
      """
      {"kind": "finding", "rule": "\(rule)", "severity": "error", "fails": true, "line": 1,
       "column": 1, "message": "\(rule)", "path": "\(path)", "details": [\(details)],
       "code": [\(code)]}
      """
    }
    let problems = [
      problem("recreatable-data-backed-up", "Documents/Movies/7.mp4"),
      problem("user-data-excluded", "Library/Settings.json"),
      problem("user-data-lost", "Library/Settings.json"),
      problem(
        "undeclared-item", "Library/Settings.json", #""code: saved by `f()`, File.swift:1""#,
        #"{"function": "f()", "file": "File.swift", "line": 1, "isAsynchronous": false}"#),
      problem(
        "undeclared-item", "Library/Settings.json", #""code: saved by `f()`, File.swift:1""#,
        #"{"function": "f()", "file": "File.swift", "line": 1, "isAsynchronous": false}"#),
      problem("undeclared-item", "Library/Settings.json", #""code: saved by unknown code""#),
      problem("undeclared-item", "Documents/nowhere"),
      problem("exists-before-use", "Library/Settings.json"),
    ]
    try workspace.write(
      """
      {"format": 3, "scenarios": [{
        "id": "movie", "file": "movie.json5", "title": "", "tags": [], "verdict": "failed",
        "runCount": 1, "problems": [\(problems.joined(separator: ","))]
      }]}
      """, to: "results.json")
    let run = try await workspace.run(
      "report", "results.json", "--index-store", ".build/debug/index/store")
    let code = run.output.split(separator: "\n").filter { $0.contains("code: ") }
    #expect(
      code == [
        "    code: perhaps `Store.keep(_:as:)`, Sources/App/Store.swift:7",
        "    code: perhaps `Store.remember(_:)`, Sources/App/Store.swift:14",
        "    code: perhaps `Store.forget()`, Sources/App/Store.swift:19",
        "    code: saved by `f()`, File.swift:1",
        "    code: saved by `f()`, File.swift:1",
        "    code: perhaps `Store.remember(_:)`, Sources/App/Store.swift:12",
        "    code: saved by unknown code",
      ], "\(run.output)\(run.errors)")
    #expect(run.status == 1)
    let later = Date(timeIntervalSinceNow: 3600)
    try FileManager.default.setAttributes(
      [.modificationDate: later], ofItemAtPath: workspace.url("Sources/App/Store.swift").path)
    let changed = try await workspace.run(
      "report", "results.json", "--index-store", ".build/debug/index/store")
    #expect(changed.errors.contains("changed after the last build"))
  }

  @Test func `what the command cannot see is said`() async throws {
    let workspace = try await app()
    let unknown = try await workspace.run("saves", "--fail-under", "1")
    #expect(unknown.errors.contains("nothing says which places ran"))
    #expect(unknown.status == 2)
    try writeCoverage(in: workspace)
    let later = Date(timeIntervalSinceNow: 3600)
    try FileManager.default.setAttributes(
      [.modificationDate: later], ofItemAtPath: workspace.url("Sources/App/Store.swift").path)
    let changed = try await workspace.run("saves")
    #expect(changed.errors.contains("changed after the last build"))
    #expect(changed.errors.contains("changed after the tests ran"))
    #expect(changed.output.contains("0 of 3 places ran (0 %); 3 unknown"))
  }
}

/// Unusable input to `saves`, for which no compiler is needed.
@Suite struct SavesCommandErrorTests {
  @Test func `a missing index is an error that says what to do`() async throws {
    let run = try await Workspace().run("saves")
    #expect(run.errors.contains("there is no index, which is a folder with the folder 'v5'"))
    #expect(run.errors.contains("run 'swift build'"))
    #expect(run.status == 2)
  }

  @Test func `a library that is none is an error`() async throws {
    let workspace = try Workspace()
    try workspace.write("", to: "store/v5/units/a")
    try workspace.write("no library", to: "usr/lib/libIndexStore.so")
    let folder = workspace.url("usr").path
    try workspace.write(
      "#!/bin/sh\necho '\"runtimeResourcePath\": \"\(folder)/lib/swift\"'\n", to: "bin/swift")
    let run = try await workspace.shell(
      "chmod +x bin/swift; PATH=\"$PWD/bin\" \"$TOOL\" saves --index-store store")
    #expect(run.errors.contains("store: the index cannot be read by"))
    #expect(run.errors.contains("file too short"))
    #expect(run.status == 2)
  }

  @Test func `a toolchain in the working directory is not used`() async throws {
    let workspace = try Workspace()
    try workspace.write("", to: "store/v5/units/a")
    try workspace.write("#!/bin/sh\necho started > started\n", to: "bin/swift")
    let run = try await workspace.shell(
      "chmod +x bin/swift; PATH=bin:. \"$TOOL\" saves --index-store store")
    #expect(run.errors.contains("libIndexStore, which reads an index, was not found"))
    #expect(!workspace.exists("started"))
    #expect(run.status == 2)
  }

  @Test func `a report does not overwrite what it is made from`() async throws {
    let workspace = try Workspace()
    try workspace.write("{}", to: "store/v5/units/a")
    let run = try await workspace.run(
      "saves", "--index-store", "store", "--output", "store/v5/units/a")
    #expect(run.status == 2)
    #expect(run.errors.contains("which the command only reads"))
    try workspace.write(#"{"format": 3, "scenarios": []}"#, to: "results.json")
    let report = try await workspace.run(
      "report", "results.json", "--index-store", "store", "--output", "store/v5/units/a")
    #expect(report.status == 2)
    #expect(report.errors.contains("which the command only reads"))
    #expect(try workspace.text(of: "store/v5/units/a") == "{}")
  }
}

private let hasCompiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  .contains { FileManager.default.isExecutableFile(atPath: "\($0)/swiftc") }
#endif
