import CProcessCost
import Foundation

/// What a process took.
struct Cost: Sendable {
  /// The processor's time in user and system mode.
  var seconds: Double
  /// The most memory it had, in bytes.
  var bytes: Double

  /// The smaller of each of two.
  func least(_ other: Cost) -> Cost {
    Cost(seconds: min(seconds, other.seconds), bytes: min(bytes, other.bytes))
  }

  /// Runs a tool to its end, and hands back its exit status too; what it prints goes to a file.
  static func run(_ tool: URL, _ arguments: [String], output: URL) throws -> (Cost, Int32) {
    var words: [UnsafeMutablePointer<CChar>?] = ([tool.path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var cost = cpc_cost()
    let error = cpc_run(tool.path, words, output.path, &cost)
    guard error == 0 else {
      throw SeriesMistake("\(tool.path): cannot be run: \(String(cString: strerror(error)))")
    }
    return (Cost(seconds: cost.seconds, bytes: Double(cost.bytes)), cost.status)
  }
}
