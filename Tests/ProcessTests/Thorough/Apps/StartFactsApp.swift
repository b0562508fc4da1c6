#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

@testable import BackupApp

/// An app that writes facts about the start of its process to a file.
enum StartFactsApp: AppUnderTest {
  struct Facts: Codable, Hashable {
    /// The ids of the process, its parent and its group.
    var process = getpid()
    var parent = getppid()
    var group = getpgid(0)
    /// The auxiliary vector, whose random addresses are equal only in processes of one fork server.
    var loaderFacts = FileManager.default.contents(atPath: "/proc/self/auxv")
    var directory = FileManager.default.currentDirectoryPath
    var variables = ProcessInfo.processInfo.environment
    /// The variables that `/proc` shows, each as `name=value`.
    var shownVariables = Set(
      (FileManager.default.contents(atPath: "/proc/self/environ") ?? Data())
        .split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    /// Whether the recipe for another process of this program has variables without a name.
    var recipeHasEmptyVariables =
      AppRecipe.ofThisProcess()?.environment.contains(where: \.isEmpty) == true
    /// A hash value. Its seed differs in each process.
    var hash = "a word".hashValue
    /// The file that is the standard input.
    var input = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/0")
    /// The lines of `/proc` with the blocked and the ignored signals.
    var signals = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?
      .split(separator: "\n").filter { $0.hasPrefix("SigBlk") || $0.hasPrefix("SigIgn") }
      .map(String.init)
  }

  static let actions: AppActions = [
    "note": { action in
      print("noted")
      let path: String = try action.argument("path")
      try JSONEncoder().encode(Facts()).write(to: URL(fileURLWithPath: path))
    }
  ]
}
#endif
