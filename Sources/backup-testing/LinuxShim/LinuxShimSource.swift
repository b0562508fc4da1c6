/// The Swift file that `backup-testing linux-shim` prints, which an app compiles into its module.
///
/// Its compiled twin is Tests/SampleApp/Sources/Cinema/ContainerShim.swift, to which Tests/LinuxShim
/// has a link. The two are the same byte for byte, so a change to one is a change to both.
enum LinuxShimSource {
  /// The whole file, with a line feed at its end.
  static let text = [container, attributes, mark, resourceValues, fileManager, directories].joined()
}
