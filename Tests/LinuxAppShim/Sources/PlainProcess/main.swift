// An app that does on a thread of its own what its first argument says, and prints what comes of it.

import Foundation
import PlainStore
import ShimmedApp

let thread = Thread {
  var lines: [String]
  do {
    switch CommandLine.arguments.dropFirst().first {
    case "answers": lines = try PlainStore.answers().map { "\($0.key)=\($0.value)" }.sorted()
    case "with the file": lines = [try DownloadStore().save(Data([1]), as: "a").path]
    default: lines = try PlainStore.save().map(\.path)
    }
  } catch {
    lines = ["\(error)"]
  }
  print(lines.joined(separator: "\n"))
  exit(0)
}
thread.start()
while true { sleep(1) }
