extension Command {
  /// The file is printed from three in Resources, embedded in the tool; CommandLineTests compile them by
  /// links to them.
  static let probeSource = Command(
    name: "probe-source", operandCounts: 0...0,
    summary:
      "Prints a Swift file that lists an app's container on a phone, or runs as a probe app.",
    discussion: """
      In a debug build of your app, ContainerProbe.writeList() writes Documents/container.list, which
      inspect, compare-backup and a scenario's 'start' read. Compiled with -D BACKUP_PROBE_APP, the
      file is a complete app that finds out on a phone what the kit does not know about iOS.
      """,
    options: [.printedFile]
  ) { arguments in
    // The list, the items, and how these are made.
    try arguments.print(
      fileOf: PackageResources.ContainerProbe_swift_txt,
      PackageResources.ContainerProbeItems_swift_txt, PackageResources.ContainerProbeApp_swift_txt)
    return .success
  }
}
