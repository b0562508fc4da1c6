#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 converts a property list of notes to a JSON file for each note. It
/// removes the list only after it has saved the files.
enum ConvertingThenRemovingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    guard launch.appVersion != "1.0",
      let list = try? Data(contentsOf: documents.file("notes.plist"))
    else { return }
    let notes = try PropertyListDecoder().decode([String: String].self, from: list)
    for (title, text) in notes.sorted(by: <) { try save(title, text, in: documents) }
    try FileManager.default.removeItem(at: documents.file("notes.plist"))
  }

  static func save(_ title: String, _ text: String, in documents: URL) throws {
    // The keys have a different order in each process.
    try JSONEncoder().encode(["title": title, "text": text])
      .write(to: documents.file("\(title).json"), options: .atomic)
  }

  static let actions: AppActions = [
    "write": { action in
      guard action.appVersion == "1.0" else { return }
      let list = try PropertyListEncoder().encode(["Lake": "Swim across", "Hill": "Walk around"])
      try list.write(to: action.container.documents.file("notes.plist"), options: .atomic)
    },
    "read": { _ in },
  ]
}
#endif
