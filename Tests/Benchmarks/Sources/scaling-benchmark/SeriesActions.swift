import BackupTesting
import Foundation

/// The code that the `perform` steps of the series run.
final class SeriesActions: @unchecked Sendable {
  private let lock = NSLock()
  /// The container's path at the last call of the action `read from a former path`.
  private var formerPath: URL?

  init() {}

  /// The actions by the names that the series use.
  var actions: AppActions {
    [
      "save": { action in
        let path: String = try action.argument("path")
        try Data("saved".utf8).write(to: action.container.url.appendingPathComponent(path))
      },
      "save all": { action in
        let paths: [String] = try action.argument("paths")
        for path in paths {
          try Data("saved".utf8).write(to: action.container.url.appendingPathComponent(path))
        }
      },
      "read from a former path": { action in
        guard let former = self.exchange(action.container.url) else { return }
        _ = try Data(contentsOf: former.appendingPathComponent("Documents/notes.txt"))
      },
    ]
  }

  /// Stores a path as the former path, and returns the previous one.
  private func exchange(_ path: URL) -> URL? {
    lock.withLock {
      defer { formerPath = path }
      return formerPath
    }
  }
}
