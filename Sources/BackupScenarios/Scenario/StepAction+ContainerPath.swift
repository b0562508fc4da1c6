import BackupContainer
import BackupFileTree

/// `{container}` in a text that the app stores stands for the absolute path of its container, which an update
/// or a restore changes. Whether the container is a directory or not, simulated steps store a device's path,
/// so that files have the same sizes everywhere.
extension StepAction {
  var namesContainer: Bool { naming(container: "") != self }

  /// The step with a path in place of the word.
  func naming(container path: String) -> StepAction {
    switch self {
    case .app(.setDefaults(let defaults, suite: let suite)):
      .app(
        .setDefaults(
          defaults.map { UserDefault(key: $0.key, value: $0.value.naming(path)) }, suite: suite))
    case .app(.readDefault(let key, expected: .value(let value), suite: let suite)):
      .app(.readDefault(key, expected: .value(value.naming(path)), suite: suite))
    case .system(.place(let contents, at: let file)):
      .system(.place(contents.naming(path), at: file))
    case .check(.file(let file, .contents(let contents))):
      .check(.file(file, .contents(contents.naming(path))))
    case .app(let step): .app(step.mapContents { $0.naming(path) })
    case .code, .relaunch, .system, .check: self
    }
  }
}

extension FileOperation.Contents {
  fileprivate func naming(_ container: String) -> FileOperation.Contents {
    guard case .bytes(let bytes) = self, !bytes.places(of: Array(word.utf8)).isEmpty
    else { return self }
    return .text(String(decoding: bytes, as: UTF8.self).naming(container))
  }
}

extension DefaultValue {
  fileprivate func naming(_ container: String) -> DefaultValue {
    guard case .text(let text) = self else { return self }
    return .text(text.naming(container))
  }
}

private let word = "{container}"

extension String {
  fileprivate func naming(_ container: String) -> String { replacing(word, with: container) }
}
