#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that gives its travel log another name before it begins a new one, and keeps the former one only.
enum RotatingLogApp: AppUnderTest {
  static let actions: AppActions = [
    "travel": { action in
      let documents = action.container.documents
      let (log, former) = (documents.file("log"), documents.file("log.1"))
      if log.isThere {
        try? FileManager.default.removeItem(at: former)
        try FileManager.default.moveItem(at: log, to: former)
      }
      let day: Int = try action.argument("day")
      try Data("Day \(day)".utf8).write(to: log, options: .atomic)
    }
  ]
}
#endif
