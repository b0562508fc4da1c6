#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 converts a property list of notes to a JSON file for each note. It
/// removes the list only after it has saved the files.
enum ConvertingThenRemovingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    guard launch.appVersion != "1.0",
      let notes = try ConvertingAfterRemovingApp.notes(in: documents)
    else { return }
    for (title, text) in notes.sorted(by: <) {
      try ConvertingAfterRemovingApp.save(title, text, in: documents)
    }
    try FileManager.default.removeItem(at: documents.file("notes.plist"))
  }

  static let actions: AppActions = ConvertingAfterRemovingApp.actions
}
#endif
