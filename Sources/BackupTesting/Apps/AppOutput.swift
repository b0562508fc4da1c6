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
  /// The size of the output whose lines ``newLines()`` has returned.
  private let returnedSize = Locked<UInt64>(0)

  init(file: FileHandle, launch: Int) {
    self.file = file
    self.launch = launch
  }

  /// The lines so far, at most the last 64 KiB.
  var text: String { text(from: 0, \.text) }

  /// Returns the lines since the last call, at most the last 64 KiB and none of a crash. Control characters are
  /// escaped, but backslashes are not.
  func newLines() -> [String] {
    returnedSize.withLock { size in
      let text = text(from: size, \.unescapedText)
      size = (try? file.seekToEnd()) ?? size
      return text.split(separator: "\n").prefix { !Self.beginsCrash($0) }
        .map { String($0).onOneLine.asLogLine }
    }
  }

  private func text(from begin: UInt64, _ words: (ProcessOutput) -> String) -> String {
    do {
      let size = try file.seekToEnd()
      let start = max(begin, size - min(size, UInt64(ProcessOutput.largestSize)))
      try file.seek(toOffset: start)
      var output = ProcessOutput(leavingOut: Int(start - min(begin, start)))
      output.append(try file.read(upToCount: ProcessOutput.largestSize) ?? Data())
      return words(output)
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

  private static let fatalWords = "Fatal error: "
  private static let crashWords = "*** Program crashed: "

  private static func beginsCrash(_ line: Substring) -> Bool {
    line.contains(fatalWords) || line.hasPrefix("*** ")
  }

  /// Returns a sentence with the first words of a crash and the app's first frame in its backtrace; nil for other
  /// output.
  static func crash(in lines: [Substring]) -> String? {
    let words = lines.first { $0.contains(fatalWords) } ?? lines.first { $0.hasPrefix(crashWords) }
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

/// The time at which the output of an app's processes is shown.
enum OutputTime: Sendable {
  /// After each request, among the test's own output.
  case afterRequest
  /// At the end of a scenario, because its runs may print the same.
  case atScenarioEnd
}

extension ProcessHost {
  /// The approximate number of bytes that a host shows of its apps' output.
  private static let mostShown = 65_536
  private static let mostKept = 1000

  /// Shows the output of an app since the last call, if it is due.
  func show(_ output: AppOutput) {
    guard outputTime == .afterRequest else { return }
    show(output.newLines())
  }

  /// Shows lines up to the limit.
  private func show(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    let text = lines.map { "\($0)\n" }.joined()
    let room = shownCount.withLock { count in
      defer { count += text.utf8.count }
      return Self.mostShown - count
    }
    guard room > 0 else { return }
    let isCut = text.utf8.count > room
    TestProcess.current.show(
      isCut ? text.prefix(room) + "…\n(the app printed more, which is not shown)\n" : text)
  }

  func keep(_ output: AppOutput) {
    show(output)
    let lines = outputTime == .atScenarioEnd ? output.newLines() : []
    keptLines.withLock { kept in
      guard !lines.isEmpty, kept.count < Self.mostKept, !kept.contains(lines) else { return }
      kept.append(lines)
    }
    let text = output.text
    guard !text.isEmpty else { return }
    launches.withLock { $0.append("launch \(output.launch):\n\(text)\n") }
  }

  /// Shows the app's output in the runs of a scenario, equal output once. Attaches the output to the test, unless the
  /// scenario passed.
  func showOutput(of scenario: Scenario, after result: ScenarioResult?) {
    let lines = keptLines.withLock { $0.flatMap(\.self) }
    show(lines.map { "\(scenario.id.shown): \($0)" })
    let output = launches.withLock { $0.joined(separator: "\n") }
    guard result?.verdict != .passed, !output.isEmpty else { return }
    let name = scenario.id.replacing("/", with: "-")
    Attachment.record(output, named: "\(name).output.txt")
  }
}

extension Scenario {
  /// Attaches the output of the last process of an app that crashed to the test.
  package func attachCrash(of host: any AppHost) {
    guard let text = (host as? ProcessHost)?.crash.withLock({ $0 }) else { return }
    Attachment.record(text, named: "\(id.replacing("/", with: "-")).crash.txt")
  }
}
