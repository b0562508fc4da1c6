#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that changes a note's title: it removes the note's file, and then saves a file with the
/// new title.
enum RetitlingApp: AppUnderTest {
  static func rename(in documents: URL, removingFirst: Bool) throws {
    let old = documents.file("Lake.json")
    guard let data = try? Data(contentsOf: old) else { return }
    var note = try JSONDecoder().decode([String: String].self, from: data)
    note["title"] = "The big lake"
    note["changed"] = "\(Date())"
    if removingFirst { try FileManager.default.removeItem(at: old) }
    try JSONEncoder().encode(note).write(to: documents.file("Big.json"), options: .atomic)
    if !removingFirst { try FileManager.default.removeItem(at: old) }
  }

  static let actions: AppActions = [
    "save": { action in
      try ConvertingThenRemovingApp.save("Lake", "Swim across", in: action.container.documents)
    },
    "rename": { try rename(in: $0.container.documents, removingFirst: true) },
  ]
}
#endif
