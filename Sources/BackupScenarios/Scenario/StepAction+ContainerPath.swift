import BackupContainer
import BackupFileTree

/// In a text that the app stores, `{container}` stands for the absolute path of the app's
/// container. An update or a restore changes this path.
///
/// Simulated steps always store the path that a container has on a device, even if the container is
/// a directory on this machine. Files then have the same sizes on all machines.
extension StepAction {
  /// True if a text in the step contains `{container}`.
  var hasContainerPlaceholder: Bool {
    switch self {
    case .app(.change(.write(_, let contents, method: _), _)),
      .app(.change(.append(_, let contents), _)),
      .app(.read(_, ifMissing: .recreated(let contents))), .system(.place(let contents, at: _)),
      .check(.file(_, .contents(let contents))):
      contents.hasContainerPlaceholder
    case .app(.setDefaults(let defaults, suite: _)):
      defaults.contains { $0.value.hasContainerPlaceholder }
    case .app(.readDefault(_, expected: .value(let value), suite: _)): value.hasContainerPlaceholder
    case .app(.sealed(let step, with: _)): StepAction.app(step).hasContainerPlaceholder
    case .app, .code, .relaunch, .system, .check: false
    }
  }

  /// Returns the step with a path in place of `{container}`.
  func replacingContainerPlaceholder(with path: String) -> StepAction {
    switch self {
    case .app(.setDefaults(let defaults, suite: let suite)):
      .app(
        .setDefaults(
          defaults.map {
            UserDefault(key: $0.key, value: $0.value.replacingPlaceholder(with: path))
          }, suite: suite))
    case .app(.readDefault(let key, expected: .value(let value), suite: let suite)):
      .app(
        .readDefault(key, expected: .value(value.replacingPlaceholder(with: path)), suite: suite))
    case .system(.place(let contents, at: let file)):
      .system(.place(contents.replacingPlaceholder(with: path), at: file))
    case .check(.file(let file, .contents(let contents))):
      .check(.file(file, .contents(contents.replacingPlaceholder(with: path))))
    case .app(let step): .app(step.mapContents { $0.replacingPlaceholder(with: path) })
    case .code, .relaunch, .system, .check: self
    }
  }
}

extension FileOperation.Contents {
  fileprivate var hasContainerPlaceholder: Bool {
    guard case .bytes(let bytes) = self, bytes.contains(UInt8(ascii: "{")) else { return false }
    return !bytes.positions(of: Array(placeholder.utf8)).isEmpty
  }

  fileprivate func replacingPlaceholder(with container: String) -> FileOperation.Contents {
    guard hasContainerPlaceholder, case .bytes(let bytes) = self else { return self }
    return .text(String(decoding: bytes, as: UTF8.self).replacingPlaceholder(with: container))
  }
}

extension StoredValue {
  fileprivate var hasContainerPlaceholder: Bool {
    if case .text(let text) = self { text.contains(placeholder) } else { false }
  }

  fileprivate func replacingPlaceholder(with container: String) -> StoredValue {
    guard case .text(let text) = self else { return self }
    return .text(text.replacingPlaceholder(with: container))
  }
}

private let placeholder = "{container}"

extension String {
  fileprivate func replacingPlaceholder(with container: String) -> String {
    replacing(placeholder, with: container)
  }
}
