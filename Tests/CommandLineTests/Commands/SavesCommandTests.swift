#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// `saves`, which lists the places of an app's code that use storage.
@Suite(.enabled(if: hasCompiler, "SKIPPED: there is no 'swiftc' in PATH"))
struct SavesCommandTests {
  static let store = """
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

    /// What is local is not in the index.
    func useLocalNames(remove: () -> Void) {
      let open = {}
      func rename() {}
      remove()
      open()
      rename()
    }
    """

  struct Report: Decodable {
    struct Place: Decodable { let line: Int }
    struct Row: Decodable {
      let place: Place
      let mark: String?
      let advice: String?
    }
    let places: [Row]
  }

  /// A package's sources and tests with an index, as a build leaves it.
  func app(_ source: String = store, beside other: String? = nil) async throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(source, to: "Sources/App/Store.swift")
    if let other { try workspace.write(other, to: "Sources/App/Extra.swift") }
    try workspace.write(
      "import Foundation\nlet home = NSHomeDirectory()\n", to: "Tests/AppTests/Test.swift")
    let files =
      "Sources/App/Store.swift Tests/AppTests/Test.swift"
      + (other == nil ? "" : " Sources/App/Extra.swift")
    for file in files.split(separator: " ") {
      let compile = try await workspace.shell(
        "swiftc -module-name App -index-file -index-file-path \(file) -o \(file.replacing("/", with: "-")).o "
          + "-index-store-path .build/debug/index/store -index-ignore-system-modules \(files)")
      try #require(compile.status == 0, "\(compile.errors)")
    }
    return workspace
  }

  /// Coverage in which `keep` ran three times, and `clear` did not run.
  func writeCoverage(in workspace: Workspace) throws {
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
               this function sets a mark
          10   marks               URLResourceValues.isExcludedFromBackup in Store.keep(_:)
          15   removes             FileManager.removeItem(at:) in Store.clear()

        3 places; nothing says which of them ran

        """)
    #expect(run.status == 0)
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
    let words = "in Store.keep(_:)\n       ran in movie (marked, purged)\n"
    #expect(run.output.contains("\(words)       this function sets a mark\n  10 "))
    #expect(run.output.contains("\(words)  15 "))
    #expect(run.output.contains("not run by a scenario"))
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

  /// The toolchain's library trusts an index, and crashes if it is damaged.
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

private let hasCompiler = has("swiftc")
private let hasClang = has("clang")

private func has(_ tool: String) -> Bool {
  let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
  return folders.split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
  }
}
#endif
