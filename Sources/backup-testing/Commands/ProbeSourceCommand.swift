/// `probe-source`: prints the file by which a phone says what its container holds.
///
/// The file is printed from three in Resources, embedded in the tool; CommandLineTests compile them by
/// links to them.
enum ProbeSourceCommand: Command {
  static let name = "probe-source"
  static let operands = ""
  static let summary =
    "Prints a Swift file that lists an app's container on a phone, and makes a probe app's."
  static let discussion = """
    In a debug build of your app ContainerProbe.writeList() writes Documents/container.list, which
    inspect, compare-backup and a scenario's 'start' read. Compiled with -D BACKUP_PROBE_APP the
    file is an app of its own, with an item for each question that only a phone can answer.
    """
  static let options = [PrintedFile.output]

  /// The list, the items, and how these are made.
  private static let file = PrintedFile(parts: [
    PackageResources.ContainerProbe_swift, PackageResources.ContainerProbeItems_swift,
    PackageResources.ContainerProbeApp_swift,
  ])

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    try requireOperands(0...0, in: arguments)
    try file.write(arguments)
    return .success
  }
}
