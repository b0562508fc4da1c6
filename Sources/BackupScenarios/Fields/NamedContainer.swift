import BackupDiagnostics
import BackupFileTree

extension MistakeCollector {
  /// A path or a pattern that begins with the name of a container beside the app's.
  struct NamedContainer {
    /// The name with its colon; a pattern's may have wildcards.
    let name: String
    /// Where the path or pattern stands.
    let position: SourcePosition
  }
}

extension ValueReader {
  /// Keeps the extension that a step names, until it is known which there are.
  func noteExtension(_ identifier: String) {
    collector.namedContainers.append(.init(name: "\(identifier):", position: position))
  }

  /// Keeps the container that a path or pattern begins with, until it is known which there are.
  func noteContainer(of path: ContainerPath) {
    guard let name = path.components.first, name.bytes.last == UInt8(ascii: ":") else { return }
    collector.namedContainers.append(.init(name: name.string, position: position))
  }
}
