#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose second version turns a property list of notes into a JSON file for each, and removes the list
/// before it saves them.
enum ConvertingFirstVersionApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    guard launch.appVersion != "1.0", let notes = try Self.notes(in: documents) else { return }
    try FileManager.default.removeItem(at: documents.file("notes.plist"))
    for (title, text) in notes.sorted(by: <) { try save(title, text, in: documents) }
  }

  static func notes(in documents: URL) throws -> [String: String]? {
    guard let list = try? Data(contentsOf: documents.file("notes.plist")) else { return nil }
    return try PropertyListDecoder().decode([String: String].self, from: list)
  }

  static func save(_ title: String, _ text: String, in documents: URL) throws {
    // The order of the keys varies from process to process.
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
