#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that keeps the user's data in databases in Documents.
enum UserDatabaseApp: AppUnderTest {
  static let actions: AppActions = [
    "addToJournal": { action in
      let file = action.container.documents.file("journal.sqlite")
      try WordDatabase(file, journal: "DELETE").add(action.argument("word"))
    },
    "addToLog": { action in
      let file = action.container.documents.file("log.sqlite")
      try WordDatabase(file, journal: "WAL").add(action.argument("word"))
    },
  ]
}
#endif
