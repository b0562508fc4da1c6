import BackupContainer
import BackupDiagnostics
package import BackupScenarios
import BackupVerdicts
import Foundation
import Testing

/// The output of the app's process for one launch.
struct AppOutput: Sendable {
  private static let shownLines = 40

  let file: FileHandle
  let launch: Int

  /// The lines so far, at most the last 64 KiB.
  var text: String {
    do {
      let size = try file.seekToEnd()
      let start = size - min(size, UInt64(ProcessOutput.largestSize))
      try file.seek(toOffset: start)
      var output = ProcessOutput(leavingOut: Int(start))
      output.append(try file.read(upToCount: ProcessOutput.largestSize) ?? Data())
      return output.text
    } catch {
      return "its output cannot be read: \(error.reason)"
    }
  }

  /// The text to append to an error message; empty if nothing was printed.
  var excerpt: String {
    let lines = text.split(separator: "\n").suffix(Self.shownLines)
    return lines.isEmpty
      ? "" : ". It printed:\n" + lines.map { "    \($0)" }.joined(separator: "\n")
  }

  /// The crash that the app printed, in a sentence; nil for none.
  var crash: String? { Self.crash(in: text.split(separator: "\n")) }

  /// The folder of the kit's sources, by which the kit's own frames in a backtrace are recognized.
  private static let sources = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// Returns the first words of a crash and the app's first frame in its backtrace, in a sentence; nil for other
  /// output.
  static func crash(in lines: [Substring]) -> String? {
    let words =
      lines.first { $0.contains("Fatal error: ") }
      ?? lines.first { $0.hasPrefix("*** Program crashed: ") }
    guard let words else { return nil }
    let message = words.trimmingPrefix("*** ").trimmingCharacters(
      in: CharacterSet(charactersIn: " *"))
    // A frame with a file path is the app's or the kit's.
    let frame = lines.lazy.filter { !$0.contains(sources) }.compactMap {
      $0.firstMatch(of: /0x[0-9a-f]+ (.+?) \+ [0-9]+ in .+ at \/.*?([^\/]+\.[a-z]+:[0-9]+)/)
    }.first
    return message.cut(to: 300) + (frame.map { " (in `\($0.1)`, \($0.2))" } ?? "")
  }
}

extension ProcessHost {
  func keep(_ output: AppOutput) {
    let text = output.text
    guard !text.isEmpty else { return }
    prints.withLock { $0.append("launch \(output.launch):\n\(text)\n") }
  }

  /// Attaches the app's output to the test, unless the scenario passed.
  func attachPrints(of scenario: Scenario, after result: ScenarioResult?) {
    let printed = prints.withLock { $0.joined(separator: "\n") }
    guard result?.verdict != .passed, !printed.isEmpty else { return }
    let name = scenario.id.replacing("/", with: "-")
    Attachment.record(printed, named: "\(name).output.txt")
  }
}

extension Scenario {
  /// Attaches the output of the last process of an app that crashed to the test.
  package func attachCrash(of host: any AppHost) {
    guard let text = (host as? ProcessHost)?.crash.withLock({ $0 }) else { return }
    Attachment.record(text, named: "\(id.replacing("/", with: "-")).crash.txt")
  }
}
