#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that stores the absolute path of the book that the user opened last.
enum AbsolutePathApp: AppUnderTest {
  static let actions: AppActions = [
    "import": { action in
      let book = action.container.documents.file("book.epub")
      try Data("Chapter 1".utf8).write(to: book, options: .atomic)
      let latest = action.container.documents.file("latest")
      try Data(book.path.utf8).write(to: latest, options: .atomic)
    },
    "open": { action in
      let latest = action.container.documents.file("latest")
      let path = try String(contentsOf: latest, encoding: .utf8)
      _ = try Data(contentsOf: URL(fileURLWithPath: path))
    },
  ]
}
#endif
