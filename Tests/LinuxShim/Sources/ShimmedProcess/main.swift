// An app that acts on a thread of its own. Its first argument says how, and it prints the results.

import Foundation
import ShimmedApp

nonisolated(unsafe) var lines: [String] = []
let thread = Thread {
  do {
    switch CommandLine.arguments.dropFirst().first {
    case "directories":
      lines = try StandardDirectories.answers().map { "\($0.key)=\($0.value)" }.sorted()
    case "names":
      lines = [
        DarwinInterfaces.shared("group.a")?.path, DarwinInterfaces.shared("group.b")?.path,
        DarwinInterfaces.identifier,
      ].map { $0 ?? "nil" }
    case "kept":
      let home = NSHomeDirectory()
      let paths = [home, "\(home)/Library/a b", "\(home)-b/c", "/etc/x"]
      let coded = DarwinInterfaces.coded("kept")
      lines = DarwinInterfaces.kept(paths.map { URL(fileURLWithPath: $0) })
      lines.append("\(coded.kept ?? "nil") \(coded.after ?? "nil")")
    default:
      lines = [try DownloadStore().save(Data([1]), as: "a").path]
    }
  } catch {
    lines = ["\(error)"]
  }
  print(lines.joined(separator: "\n"))
  exit(0)
}
thread.start()
while true { sleep(1) }
