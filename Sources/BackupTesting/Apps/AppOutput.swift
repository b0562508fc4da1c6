import BackupContainer
import BackupDiagnostics
import BackupScenarios
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
    let lines = Self.excerpt(of: text.split(separator: "\n"))
    return lines.isEmpty
      ? "" : ". It printed:\n" + lines.map { "    \($0)" }.joined(separator: "\n")
  }

  /// The folder of the kit's sources, by which the kit's own frames in a backtrace are recognized.
  private static let sources = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// Returns the lines to show with a failure.
  ///
  /// These are the last lines. If the app crashed, they are the lines around the beginning of the
  /// crash, up to the app's last frame.
  static func excerpt(of lines: [Substring]) -> ArraySlice<Substring> {
    let crash = lines.firstIndex {
      $0.contains("Fatal error: ") || $0.hasPrefix("*** Signal ")
        || $0.hasPrefix("*** Program crashed")
    }
    let start = crash.map { $0 - shownLines / 4 } ?? lines.endIndex
    let shown = lines[max(0, min(start, lines.count - shownLines))...].prefix(shownLines)
    // A frame with a file path is the app's or the kit's.
    let app = shown.lastIndex { $0.contains(" at /") && !$0.contains(sources) }
    guard let app, let crash, app > crash else { return shown }
    return shown[..<(shown[app...].firstIndex { $0.contains(sources) } ?? shown.endIndex)]
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
