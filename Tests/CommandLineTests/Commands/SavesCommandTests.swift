#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// `saves` lists the places in an app's code that use storage.
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

  /// Creates a package's sources and tests, and compiles them to get an index as from a build.
  func app(_ source: String = store, beside extra: String? = nil) async throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(source, to: "Sources/App/Store.swift")
    if let extra { try workspace.write(extra, to: "Sources/App/Extra.swift") }
    try workspace.write(
      "import Foundation\nlet home = NSHomeDirectory()\n", to: "Tests/AppTests/Test.swift")
    let files =
      "Sources/App/Store.swift Tests/AppTests/Test.swift"
      + (extra == nil ? "" : " Sources/App/Extra.swift")
    for file in files.split(separator: " ") {
      let compile = try await workspace.shell(
        "swiftc -module-name App -index-file -index-file-path \(file) -o \(file.replacing("/", with: "-")).o "
          + "-index-store-path .build/debug/index/store -index-ignore-system-modules \(files)")
      try #require(compile.status == 0, "\(compile.errors)")
    }
    return workspace
  }

  /// Writes coverage in which `keep` ran three times, and `clear` did not run.
  func writeCoverage(in workspace: Workspace) throws {
    let segments = "[[6,36,3,true,true,false],[12,4,0,false,false,false],[14,24,0,true,true,false]]"
    try workspace.write(
      """
      {"data": [{"files": [
        {"filename": "\(workspace.url("Sources/App/Store.swift").path)", "segments": \(segments)}
      ]}]}
      """, to: ".build/debug/codecov/App.json")
  }

  @Test func `the uses of storage in the app's code are listed with their functions`() async throws
  {
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

  @Test func `a page has no empty columns, and its line numbers are links`() async throws {
    let workspace = try await app()
    func columnTitles() async throws -> [String] {
      let page = try await workspace.run("saves", "--format", "html").output
      #expect(page.contains("<a href=\"Sources/App/Store.swift#L8\"><code>8</code></a>"))
      return page.matches(of: /<th scope="col">([^<]*)</).map { String($0.1) }
    }
    #expect(try await columnTitles() == ["Line", "What it does", "By", "Function", "Mark"])
    try writeCoverage(in: workspace)
    #expect(
      try await columnTitles() == ["Line", "What it does", "By", "Function", "Tests", "Mark"])
  }
}

/// Errors of `saves`. These tests need no compiler.
@Suite struct SavesCommandErrorTests {
  @Test func `a missing index is an error that says what to do`() async throws {
    let run = try await Workspace().run("saves")
    #expect(run.errors.contains("there is no index (a folder that contains 'v5')"))
    #expect(run.errors.contains("run 'swift build'"))
    #expect(run.status == 2)
  }
}

private let hasCompiler = has("swiftc")
let hasClang = has("clang")

private func has(_ tool: String) -> Bool {
  let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
  return folders.split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
  }
}
#endif
