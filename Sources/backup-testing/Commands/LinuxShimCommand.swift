/// `linux-shim`: prints the file that lets an app's own code be tested on Linux.
enum LinuxShimCommand: Command {
  static let name = "linux-shim"
  static let operands = ""
  static let summary = "Prints a Swift file with which an app's own code can be tested on Linux."
  static let discussion = """
    Add the file to the app's own module. On Linux it leads unchanged calls of Foundation into the
    current test's container and makes isExcludedFromBackup work; elsewhere it is empty.
    """
  static let options = [
    Option("--output", "FILE", "write the file here instead of standard output")
  ]

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    try arguments.requireOperands(0...0, of: self)
    guard let file = arguments.value(of: "--output") else {
      try Output.print(LinuxShimSource.text)
      return .success
    }
    try Output.write(LinuxShimSource.text, to: file)
    return .success
  }
}
