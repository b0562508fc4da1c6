extension Command {
  /// Prints code that lists a container on a phone. CommandLineTests compile the code through links
  /// to `Resources`.
  static let probeSource = Command(
    name: "probe-source", operandCounts: 0...0,
    summary: "Prints a Swift file that lists the items in an app's container on a phone.",
    discussion: """
      In a debug build of your app, ContainerProbe.writeList() writes Documents/container.list, which
      inspect, compare-backup and a scenario's 'start' read.
      """,
    options: [.printedFile]
  ) { arguments in
    try arguments.writeSourceFile(ofParts: PackageResources.ContainerProbe_swift_txt)
    return .success
  }
}
