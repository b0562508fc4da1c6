#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing
extension SavesCommandTests {
  @Test func `coverage tells which places ran`() async throws {
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

  @Test func `each save is listed with its mark, and likely mistakes in the code with advice`()
    async throws
  {
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
        func write(_ data: Data, to file: URL) throws { try data.write(to: file) }
        func writeMarked(_ data: Data, to file: URL) throws {
          try write(data, to: file)
          try exclude(file)
        }
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
        "21: likely: a device refuses fil",
      ])
    let marks = report.places.compactMap { row in row.mark.map { "\(row.place.line): \($0)" } }
    #expect(
      marks == [
        "14: this function sets a mark", "18: this function sets a mark",
        "22: neither this function nor one that calls it sets a mark",
        "23: a function that calls this one sets a mark",
      ])
  }

  @Test func `a call through a protocol of the app is found`() async throws {
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

  @Test func `a report suggests a place for each finding without a line of code`() async throws {
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

  /// One of two places runs. The change removes the other place from the index, or changes its name
  /// in the source.
  @Test(arguments: [
    (
      "rm .build/debug/index/store/v5/units/Sources-App-Extra.swift.o-*",
      "the index lacks 1 file with calls that use storage: Sources/App/Extra.swift; build again",
      51,
      "1 of 2 places ran (50 %); this is less than 51 %"
    ),
    (
      "touch -r Sources/App/Extra.swift time; sed -i.former 's/createDirectory/createDirectori/' "
        + "Sources/App/Extra.swift; touch -r time Sources/App/Extra.swift",
      "the index is damaged: it has 1 name that the sources do not have, such as "
        + "'createDirectory(at:withIntermediateDirectories:attributes:)' at Sources/App/Extra.swift:4",
      50, "1 of 2 places ran (50 %); 1 unknown; the index does not fit the sources"
    ),
  ])
  func `an index that differs from the sources fails the command`(
    change: String, note: String, percent: Int, summary: String
  ) async throws {
    let workspace = try await app(
      "import Foundation\nfunc keep(_ file: URL) throws { try Data().write(to: file) }\n",
      beside: """
        import Foundation
        func makeFolder(_ folder: URL) throws {
          try FileManager.default
            .createDirectory(at: folder, withIntermediateDirectories: true)
        }
        """)
    let file = workspace.url("Sources/App/Store.swift").path
    try workspace.write(
      "{\"data\": [{\"files\": [{\"filename\": \"\(file)\", \"segments\": [[1,1,1,true,true,false]]}]}]}",
      to: ".build/debug/codecov/App.json")
    let unchanged = try await workspace.run("saves", "--fail-under", "50")
    #expect(unchanged.errors == "" && unchanged.status == 0)
    let run = try await workspace.shell("\(change); \"$TOOL\" saves --fail-under \(percent)")
    #expect(run.errors.contains(note), "\(run.errors)")
    #expect(run.output.hasSuffix("\n\(summary)\n"), "\(run.output)")
    #expect(run.status == 1)
  }

  @Test func `unknown coverage and changed sources are reported`() async throws {
    let workspace = try await app()
    let unknown = try await workspace.run("saves", "--fail-under", "1")
    #expect(unknown.errors.contains("the places that ran are unknown"))
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

  @Test func `unreadable coverage is not reported as missing`() async throws {
    let workspace = try await app()
    try workspace.write("", to: ".build/debug/codecov")
    let run = try await workspace.run("saves")
    #expect(run.status == 2)
    #expect(run.errors.contains(".build/debug/codecov: the coverage cannot be read: "), "\(run)")
  }

  @Test(.enabled(if: Workspace.canRunAsOrdinaryUser, "root may read anything"))
  func `an unreadable source is reported, and fails the command`() async throws {
    let workspace = try await app()
    try writeCoverage(in: workspace)
    try workspace.folder.setPermissions(0, of: "Sources/App/Store.swift")
    let run = try await workspace.runAsOrdinaryUser("saves", "--fail-under", "1")
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        "the index was not compared with unreadable items: Sources/App/Store.swift"), "\(run)")
  }

  @Test func `results tell which scenarios ran a place, and what happened to its files`()
    async throws
  {
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
    let words = "in Store.keep(_:)\n       ran in movie (marked, purged)\n"
    #expect(run.output.contains("\(words)       this function sets a mark\n  10 "))
    #expect(run.output.contains("\(words)  15 "))
    #expect(run.output.contains("not run by a scenario"))
  }
}

extension SavesCommandErrorTests {
  @Test func `an invalid index library is an error`() async throws {
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

  /// The toolchain's library does not check an index, and crashes if the index is damaged.
  @Test(.enabled(if: hasClang, "SKIPPED: there is no 'clang' in PATH"))
  func `a crash of the library that reads an index is an error, and leaves a report`() async throws
  {
    let workspace = try Workspace()
    try workspace.write("", to: "store/v5/units/a")
    try workspace.write(
      "#include <signal.h>\n__attribute__((constructor)) static void crash(void) { raise(SIGSEGV); }\n",
      to: "crash.c")
    try workspace.write(#"{"format": 3, "scenarios": []}"#, to: "results.json")
    try workspace.write(
      "#!/bin/sh\necho \"\\\"runtimeResourcePath\\\": \\\"$PWD/usr/lib/swift\\\"\"\n",
      to: "bin/swift")
    let prepare =
      "chmod +x bin/swift; mkdir -p usr/lib; for name in so dylib; do "
      + "clang -shared -fPIC crash.c -o usr/lib/libIndexStore.$name; done; PATH=\"$PWD/bin:$PATH\"; "
    let saves = try await workspace.shell("\(prepare) \"$TOOL\" saves --index-store store")
    let damage =
      "store: the index is damaged (its reader was ended by signal 11); remove it, and build again"
    #expect(saves.errors == "backup-testing: error: \(damage)\n")
    #expect(saves.status == 2)
    let report = try await workspace.shell(
      "\(prepare) \"$TOOL\" report results.json --index-store store")
    #expect(report.errors.contains("note: \(damage); the report has no hints from it\n"))
    #expect(report.output.contains("no scenario is in the results"))
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

  @Test func `a report does not overwrite its sources`() async throws {
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
#endif
