#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that packs a diary into a binary file. It removes the diary before the packed file is
/// complete.
enum PackingApp: AppUnderTest {
  static let actions: AppActions = [
    "write": { action in
      try Data("Swim across the lake".utf8)
        .write(to: action.container.documents.file("diary.txt"), options: .atomic)
    },
    "pack": { action in
      let documents = action.container.documents
      let (plain, packed) = (documents.file("diary.txt"), documents.file("diary.packed"))
      guard plain.isThere else { return }
      let bytes = try Data(contentsOf: plain).map { $0 ^ 0xA5 }
      let file = fopen(packed.path, "wb")
      try FileManager.default.removeItem(at: plain)
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    },
  ]
}
#endif
