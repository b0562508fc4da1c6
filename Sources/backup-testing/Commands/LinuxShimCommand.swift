import Foundation

/// `linux-shim`: prints the file that lets an app's own code be tested on Linux.
///
/// The file is Resources/ContainerShim.swift, embedded in the tool. It is compiled where it is
/// used: the packages Tests/LinuxShim and Tests/SampleApp have links to it.
enum LinuxShimCommand: Command {
  static let name = "linux-shim"
  static let operands = ""
  static let summary = "Prints a Swift file with which an app's own code can be tested on Linux."
  static let discussion = """
    Add the file to the app's own module. On Linux it leads unchanged calls of Foundation into the
    current test's container and makes isExcludedFromBackup work; elsewhere it is empty.
    """
  static let options = [output]

  /// The file to write.
  private static let output = Option(
    "--output", value: "FILE", "write the file here instead of standard output")

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    try requireOperands(0...0, in: arguments)
    let text = String(decoding: PackageResources.ContainerShim_swift, as: UTF8.self)
    guard let file = arguments.value(of: output) else {
      try Output.print(text)
      return .success
    }
    guard isReplaceable(file, by: text) else {
      throw CommandError(
        "\(file): something else than an earlier print of this file is there; name a new file")
    }
    try Output.write(text, to: file)
    return .success
  }

  /// Whether a file is missing, empty or an earlier print of this one, by its first line.
  private static func isReplaceable(_ file: String, by text: String) -> Bool {
    guard let data = FileManager.default.contents(atPath: file), !data.isEmpty else { return true }
    let firstLine = text.prefix { !$0.isNewline }
    return data.starts(with: firstLine.utf8)
  }
}
