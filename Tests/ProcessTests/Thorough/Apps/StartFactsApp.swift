#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

@testable import BackupApp

/// An app that writes down how its process was started.
enum StartFactsApp: AppUnderTest {
  struct Facts: Codable, Hashable {
    /// The process, its parent and its group.
    var process = getpid()
    var parent = getppid()
    var group = getpgid(0)
    /// What the system told the loader, such as where it has put things: another time elsewhere.
    var loaderFacts = FileManager.default.contents(atPath: "/proc/self/auxv")
    var directory = FileManager.default.currentDirectoryPath
    /// The variables, as the process has them and as the system shows them.
    var variables = ProcessInfo.processInfo.environment
    var shownVariables = Set(
      (FileManager.default.contents(atPath: "/proc/self/environ") ?? Data())
        .split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    /// Whether a process like it would be given variables without a name.
    var recipeHasEmptyVariables =
      AppRecipe.ofThisProcess()?.environment.contains(where: \.isEmpty) == true
    /// A value that Swift makes anew in each process.
    var hash = "a word".hashValue
    /// What is on the standard input.
    var input = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/0")
    /// The signals that are blocked and ignored.
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
