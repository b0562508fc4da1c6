#if os(macOS) || os(Linux)
import Foundation
import Testing

/// Scenario files by a malicious author cannot do harm.
@Suite struct UntrustedFileTests {
  @Test(arguments: ["../../etc/passwd", "Documents/../../x", "/etc/passwd", "a\\u0000b", "."])
  func `a path cannot leave the container`(path: String) async throws {
    let text = Sample.document.replacing("save: \"Documents/a.txt\"", with: "save: \"\(path)\"")
    let workspace = try Workspace(scenarios: ["a": text])
    let run = try await workspace.run("run")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("Scenarios/a.json5:5:13: error: the path '"))
    #expect(!workspace.exists("Golden"))
  }

  @Test func `a link out of the container is not followed`() async throws {
    let workspace = try Workspace()
    try workspace.write("mine", to: "outside.txt")
    let outside = workspace.url("outside.txt").path
    try workspace.write(
      """
      {
        title: "A link leads out",
        steps: [
          { link: "Documents/out", to: "\(outside)" },
          { save: "Documents/out", contents: "theirs", how: "inPlace" },
        ],
      }
      """, to: "Scenarios/a.json5")
    let run = try await workspace.run("run")
    #expect(run.status != 0)
    #expect(try workspace.text(of: "outside.txt") == "mine")
  }

  @Test func `a file that is not UTF-8 is a mistake`() async throws {
    let workspace = try Workspace()
    try workspace.write(Data([0x7B, 0xFF, 0xFE, 0x00, 0x7D]), to: "Scenarios/a.json5")
    let run = try await workspace.run("check")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("Scenarios/a.json5:1:2: error: "))
  }

  @Test func `a document with endless nesting is a mistake`() async throws {
    let deep = String(repeating: "[", count: 200_000)
    let workspace = try Workspace(scenarios: ["a": "{ title: \(deep)"])
    let run = try await workspace.run("check")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("Scenarios/a.json5:1:"))
    #expect(run.errors.utf8.count < 2_000)
  }

  @Test func `a file of five megabytes is a mistake`() async throws {
    let workspace = try Workspace()
    let padding = Data(repeating: UInt8(ascii: " "), count: 5_000_000)
    try workspace.write(padding + Data(Sample.document.utf8), to: "Scenarios/a.json5")
    let run = try await workspace.run("check")
    #expect(run.status == 2)
    #expect(run.errors.contains("Scenarios/a.json5:1:1: error: the file is larger than 4.0 MB"))
    #expect(run.errors.utf8.count < 2_000)
  }

  @Test func `control characters do not reach the terminal`() async throws {
    let text = "{ title: \"x\", \"\\u001b[31mred\\n\": 1, /* \u{1B}[2J */ steps: [] }"
    let workspace = try Workspace(scenarios: ["a": text, "b\u{1B}[1m": Sample.lostMark])
    let check = try await workspace.run("check")
    #expect(check.status == 2)
    #expect(check.errors.contains("unknown key '\\u{1B}[31mred\\n'"))
    #expect(check.errors.contains("/* \\u{1B}[2J */"))
    try FileManager.default.removeItem(at: workspace.url("Scenarios/a.json5"))
    let run = try await workspace.run("run")
    let explanation = try await workspace.run("explain", "b\u{1B}[1m")
    for text in [check, run, explanation].flatMap({ [$0.errors, $0.output] }) {
      #expect(!text.unicodeScalars.contains("\u{1B}"))
    }
  }

  /// An invisible character, or one that reverses text, can make a name look like another name.
  @Test(arguments: ["text", "junit", "github", "markdown", "sarif", "html"])
  func `no report has an invisible character`(format: String) async throws {
    let hidden: [Unicode.Scalar] = [
      "\u{202E}", "\u{200B}", "\u{2066}", "\u{61C}", "\u{2060}", "\u{AD}",
    ]
    let name = hidden.map { "\\u\(String($0.value + 0x10000, radix: 16).dropFirst())" }.joined()
    let workspace = try Workspace(scenarios: [
      "a": """
      {
        title: "Title \(name)", files: { "Library/*": "offline" },
        steps: [{ save: "Library/x\(name).db", size: 1 }, { backup: "one \(name)" }],
      }
      """
    ])
    try workspace.write("1", to: "c/Documents/\(String(String.UnicodeScalarView(hidden)))")
    let run = try await workspace.run("run", "--format", format)
    let inspection = try await workspace.run(
      "inspect", "c", "--format", format == "html" ? format : "text")
    for text in [run.output, run.errors, inspection.output] {
      #expect(!text.unicodeScalars.contains(where: hidden.contains), "\(text)")
    }
    #expect((run.output + run.errors).contains("{200B}"))
    #expect(inspection.output.contains("{200B}"))
  }

  @Test(arguments: ["check", "run"])
  func `a link that is named as a scenario is a mistake`(command: String) async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url("Scenarios/l.json5").path, withDestinationPath: "a.json5")
    let run = try await workspace.run(command, "Scenarios/l.json5")
    #expect(run.status == 2)
    let reason = "this is a link, but a scenario must be a file; name the file that it leads to"
    #expect(run.errors.contains("Scenarios/l.json5: \(reason)"))
  }

  @Test(arguments: [["check"], ["check", "Scenarios/p.json5"], ["run"]])
  func `a pipe with the name of a scenario is a mistake`(words: [String]) async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try #require(mkfifo(workspace.url("Scenarios/p.json5").path, 0o600) == 0)
    try #require(mkfifo(workspace.url("Scenarios/other").path, 0o600) == 0)
    let run = try await workspace.run(words)
    #expect(run.status == 2)
    #expect(run.errors.contains("Scenarios/p.json5: this is a pipe, but a scenario must be a file"))
  }

  @Test func `a golden folder that is a file or a pipe is a mistake`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try #require(mkfifo(workspace.url("pipe").path, 0o600) == 0)
    for (name, kind) in [("Scenarios/a.json5", "a file"), ("pipe", "a pipe")] {
      let run = try await workspace.run("run", "--golden", name)
      #expect(run.status == 2)
      #expect(
        run.errors.contains(
          "\(name): the folder of golden files cannot be read, because this is \(kind)"))
    }
  }

  @Test(arguments: ["run", "explain"])
  func `a run stops at a limit, which can be raised`(command: String) async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let run = try await workspace.run(command, "Scenarios/a.json5", "--limit", "work=1")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("Scenarios/a.json5:5:5: error: "))
    #expect(run.errors.contains("and the limit of a run is 1, which protects"))
    #expect(!workspace.exists("Golden"))
    let unknownLimit = try await workspace.run(command, "Scenarios/a.json5", "--limit", "files=1")
    #expect(
      unknownLimit.status == 2 && unknownLimit.errors.contains("--limit: unknown limit 'files'"))
    let raised = try await workspace.run(
      command, "Scenarios/a.json5", "--limit", "work=1000", "--limit=bytes=1000000")
    #expect(!raised.errors.contains("limit"))
  }

  @Test func `folders nested too deeply are a mistake`() async throws {
    let folder = Array(repeating: "d", count: 40).joined(separator: "/")
    let workspace = try Workspace(scenarios: ["\(folder)/a": Sample.document])
    let run = try await workspace.run("check")
    #expect(run.status == 2)
    #expect(run.errors.contains("folders are nested too deeply here"))
  }

  @Test func `a file whose name is not UTF-8 is a mistake`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let folder = Array(workspace.url("Scenarios").path.utf8)
    let name = (folder + [UInt8(ascii: "/"), 0xFF] + Array(".json5".utf8) + [0])
      .map(CChar.init(bitPattern:))
    guard let file = fopen(name, "w") else { return }  // APFS refuses the name.
    fclose(file)
    let run = try await workspace.run("check")
    #expect(run.status == 2)
    #expect(run.errors.contains(": this cannot be examined; make sure that its name is UTF-8"))
  }

  @Test func `all mistakes of all files are reported together`() async throws {
    let workspace = try Workspace(scenarios: [
      "a": "{ titel: \"x\", steps: 5 }", "b": "{ title: ", "c": Sample.document,
    ])
    let run = try await workspace.run("check")
    #expect(run.status == 2)
    let places = run.errors.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(places.count { $0.hasPrefix("Scenarios/a.json5:1:") } == 3)
    #expect(places.count { $0.hasPrefix("Scenarios/b.json5:1:") } == 1)
    #expect(places.count == 4)
  }

  @Test func `a golden file that is not UTF-8 fails only its scenario`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document, "b": Sample.document])
    _ = try await workspace.run("run")
    try workspace.write(Data([0xFF, 0xFE]), to: "Golden/a.golden")
    let run = try await workspace.run("run")
    #expect(run.status == 1)
    #expect(run.errors.contains("Golden/a.golden: the golden file is not UTF-8"))
    #expect(run.output.hasPrefix("2 scenarios in 2 runs: 1 passed"))
  }
}
#endif
