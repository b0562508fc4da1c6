#if os(macOS) || os(Linux)
import BackupDiagnostics
import Testing

@testable import backup_testing

/// The help, the version, and wrong arguments.
@Suite struct UsageTests {
  @Test func `the help lists every command`() async throws {
    let workspace = try Workspace()
    for arguments in ["--help", "-h", "help"] {
      let run = try await workspace.run(arguments)
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
      for command in Command.all { #expect(run.output.contains("\n  \(command.name) ")) }
    }
    let withoutArguments = try await workspace.run()
    #expect(withoutArguments.status == 2)
    #expect(withoutArguments.output.isEmpty)
    #expect(withoutArguments.errors.contains("Usage: backup-testing COMMAND"))
  }

  @Test(arguments: Command.all.map { $0.name })
  func `every command has help`(name: String) async throws {
    let workspace = try Workspace()
    let command = try #require(Command.all.first { $0.name == name })
    let run = try await workspace.run(name, "--help")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("\(command.summary)\n\nUsage: backup-testing \(name) [OPTIONS]"))
    for option in command.options { #expect(run.output.contains("\n  \(option.name)")) }
    for variable in command.variables + EnvironmentVariable.outputVariables {
      #expect(run.output.contains("\n  \(variable.name) "))
    }
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(try await workspace.run("help", name).output == run.output)
    #expect(workspace.files(in: ".").isEmpty)
  }

  @Test func `the version is printed`() async throws {
    let run = try await Workspace().run("--version")
    #expect(run.status == 0)
    #expect(run.output == "backup-testing \(Kit.version)\n")
  }

  @Test(
    arguments: [
      (["rnu"], "unknown command 'rnu'; did you mean 'run'?"),
      (["help", "chek"], "unknown command 'chek'; did you mean 'check'?"),
      (["--vers"], "unknown option '--vers' before a command"),
      (["run", "--formt", "x"], "unknown option '--formt'; did you mean '--format'?"),
      (["run", "--format", "jsno"], "unknown format 'jsno'; did you mean 'json'?"),
      (["run", "--record", "nevr"], "unknown record mode 'nevr'; did you mean 'never'?"),
      (["run", "--system", "newset"], "unknown version of iOS 'newset'; did you mean 'newest'?"),
      (["run", "--format"], "'--format' needs a value: --format FORMAT"),
      (["run", "--golden", ""], "'--golden' needs a value: --golden FOLDER"),
      (["run", "--strict=yes"], "'--strict' takes no value"),
      (["check", "--strict"], "unknown option '--strict'"),
      (["new"], "an argument is missing; usage: backup-testing new [OPTIONS] ID"),
      (["new", "a", "b"], "'b' is one argument too many"),
      (["explain"], "an argument is missing; usage: backup-testing explain [OPTIONS] ID [PATH]"),
      (["explain", "a", "b", "c"], "'c' is one argument too many"),
      (["run", "a.json5"], "in Scenarios; did you mean 'Scenarios/a.json5'?"),
      (["run", "Scenarios/b.json5"], "no scenario of that id in Scenarios; did you mean 'a'?"),
      (["run", "Scenarois"], "did you mean 'Scenarios'?"),
    ])
  func `a wrong argument is an error`(arguments: [String], message: String) async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let run = try await workspace.run(arguments)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("backup-testing: error: "))
    #expect(run.errors.contains(message))
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(!workspace.exists("Golden"))
  }

  @Test func `a control character in an argument stays on its line`() async throws {
    let run = try await Workspace().run("a\n\u{1B}[31m")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("backup-testing: error: unknown command 'a\\n\\u{1B}[31m'"))
  }
}
#endif
