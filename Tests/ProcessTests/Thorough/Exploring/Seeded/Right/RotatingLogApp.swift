#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that renames its travel log before it begins a new one. It keeps only one former log.
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
