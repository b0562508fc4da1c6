extension Command {
  /// Prints files that are embedded from `Resources`. The Swift file has three parts, which the
  /// plugin LinuxShim copies. The package `Tests/LinuxShim` compiles all files through links, and
  /// `Tests/SampleApp` the header for C.
  static let linuxShim = Command(
    name: "linux-shim", operandCounts: 0...0,
    summary: "Prints a file with which an app's own code, in Swift or C, can be tested on Linux.",
    discussion: """
      Add the file to the app's own module. On Linux it redirects the app's calls of Foundation to the
      current test's container, and makes isExcludedFromBackup work; elsewhere it is empty.

      With --c it is a header for C: setxattr and similar functions with the parameters of Darwin.
      """,
    options: [cHeader, .printedFile]
  ) { arguments in
    if arguments.has(cHeader) {
      try arguments.writeSourceFile(ofParts: PackageResources.ContainerXattr_h_txt)
    } else {
      try arguments.writeSourceFile(
        ofParts: PackageResources.ContainerShim_swift_txt,
        PackageResources.ContainerRedirections_swift_txt, PackageResources.ContainerXattr_swift_txt)
    }
    return .success
  }

  private static let cHeader = Option("--c", "print the header for C code instead")
}
