#if os(macOS) || os(Linux)
import Testing

@testable import backup_testing

/// Arguments are parsed into options and operands.
@Suite struct ArgumentsTests {
  private var options: [Option] { [name, flag] }
  /// An option with a value.
  private let name = Option("--name", value: "VALUE", "a value")
  /// An option without a value.
  private let flag = Option("--flag", "a flag")

  @Test func `values, flags and operands can be mixed`() throws {
    let arguments = try Arguments(
      ["a", "--name", "x", "--flag", "b", "--name=y=z", "-"], options: options)
    #expect(arguments.operands == ["a", "b", "-"])
    #expect(arguments.value(of: name) == "y=z")
    #expect(arguments.allValues(of: name) == ["x", "y=z"])
    #expect(arguments.has(flag))
  }

  @Test func `everything after two dashes is an operand`() throws {
    let arguments = try Arguments(["--", "--flag", "-x", "--"], options: options)
    #expect(arguments.operands == ["--flag", "-x", "--"])
    #expect(!arguments.has(flag))
  }

  @Test func `a value can look like an option`() throws {
    let arguments = try Arguments(["--name", "--flag"], options: options)
    #expect(arguments.value(of: name) == "--flag")
    #expect(!arguments.has(flag))
  }

  @Test(arguments: [["--nope"], ["-n"], ["--name"], ["--name="], ["--name", ""], ["--flag=1"]])
  func `mistakes are errors`(words: [String]) {
    #expect(throws: CommandError.self) { try Arguments(words, options: options) }
  }

  @Test func `valid arguments are parsed, even if others are wrong`() {
    var mistakes: [any Error] = []
    let arguments = Arguments(
      ["--nope", "--name", "x", "--flag=1", "a"], options: options
    ) { mistakes.append($0) }
    #expect(mistakes.count == 2)
    #expect(arguments.value(of: name) == "x")
    #expect(arguments.operands == ["a"])
  }

  @Test func `no arguments give no options and no operands`() throws {
    let arguments = try Arguments([], options: options)
    #expect(arguments.operands.isEmpty)
    #expect(arguments.value(of: name) == nil)
    #expect(arguments.allValues(of: name).isEmpty)
  }
}
#endif
