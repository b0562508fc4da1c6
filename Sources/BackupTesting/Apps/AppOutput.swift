import BackupContainer
import BackupDiagnostics
package import BackupScenarios
import BackupVerdicts
import Foundation
import Testing

/// The text that the app's process has printed during one launch.
struct AppOutput: Sendable {
  private static let excerptLineCount = 40

  let file: FileHandle
  /// The number of the launch, from 1.
  let launchNumber: Int
  /// The number of bytes whose lines ``newLines()`` has returned so far.
  private let returnedSize = Locked<UInt64>(0)

  init(file: FileHandle, launchNumber: Int) {
    self.file = file
    self.launchNumber = launchNumber
  }

  /// All output so far, or its last 64 KiB if it is longer.
  var text: String { text(from: 0, \.text) }

  /// Returns the lines since the last call, or their last 64 KiB. Leaves out the report of a crash.
  ///
  /// Control characters are escaped, but backslashes are not.
  func newLines() -> [String] {
    returnedSize.withLock { size in
      let text = text(from: size, \.unescapedText)
      size = (try? file.seekToEnd()) ?? size
      return text.split(separator: "\n").prefix { !Self.beginsCrash($0) }
        .map { String($0).onOneLine.asLogLine }
    }
  }

  private func text(from offset: UInt64, _ format: (ProcessOutput) -> String) -> String {
    do {
      let size = try file.seekToEnd()
      let startOffset = max(offset, size - min(size, UInt64(ProcessOutput.largestSize)))
      try file.seek(toOffset: startOffset)
      var output = ProcessOutput(omittedByteCount: Int(startOffset - min(offset, startOffset)))
      output.append(try file.read(upToCount: ProcessOutput.largestSize) ?? Data())
      return format(output)
    } catch {
      return "its output cannot be read: \(error.reason)"
    }
  }

  /// The last lines of the output, to append to an error message; empty if the app printed nothing.
  var excerpt: String {
    let lines = text.split(separator: "\n").suffix(Self.excerptLineCount)
    return lines.isEmpty
      ? "" : ". It printed:\n" + lines.map { "    \($0)" }.joined(separator: "\n")
  }

  /// A sentence on the crash that the app printed; nil if it printed none.
  var crash: String? { Self.crash(in: text.split(separator: "\n")) }

  /// The folder with the kit's source files. A frame of a backtrace with this path is the kit's.
  private static let kitSourceFolder =
    #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private static let fatalErrorMarker = "Fatal error: "
  private static let crashPrefix = "*** Program crashed: "

  private static func beginsCrash(_ line: Substring) -> Bool {
    line.contains(fatalErrorMarker) || line.hasPrefix("*** ")
  }

  /// Returns a sentence with the message of a crash and the app's topmost frame in the backtrace;
  /// nil if the lines contain no crash.
  static func crash(in lines: [Substring]) -> String? {
    let crashLine =
      lines.first { $0.contains(fatalErrorMarker) } ?? lines.first { $0.hasPrefix(crashPrefix) }
    guard let crashLine else { return nil }
    let message = crashLine.trimmingPrefix("*** ").trimmingCharacters(
      in: CharacterSet(charactersIn: " *"))
    // Only frames of the app and of the kit have a file path.
    let frame = lines.lazy.filter { !$0.contains(kitSourceFolder) }.compactMap {
      $0.firstMatch(of: /0x[0-9a-f]+ (.+?) \+ [0-9]+ in .+ at \/.*?([^\/]+\.[a-z]+:[0-9]+)/)
    }.first
    return message.cut(to: 300) + (frame.map { " (in `\($0.1)`, \($0.2))" } ?? "")
  }
}

/// The time at which the kit prints the output of an app's processes.
enum OutputTime: Sendable {
  /// After each request to the app, between the lines that the test itself prints.
  case afterRequest
  /// At the end of the scenario. Runs of one scenario often print equal lines, which the kit then
  /// prints only once.
  case atScenarioEnd
}

extension ProcessHost {
  /// The approximate limit on the bytes of output that one host prints.
  private static let printedByteLimit = 65_536
  /// The limit on the launches whose output the host keeps until the end of the scenario.
  private static let keptLaunchLimit = 1000

  /// Prints the app's output since the last call, if the host prints after each request.
  func showNewLines(_ output: AppOutput) {
    guard outputTime == .afterRequest else { return }
    show(output.newLines())
  }

  /// Prints lines, until the host has printed as many bytes as it may.
  private func show(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    let text = lines.map { "\($0)\n" }.joined()
    let remainingByteCount = printedByteCount.withLock { count in
      defer { count += text.utf8.count }
      return Self.printedByteLimit - count
    }
    guard remainingByteCount > 0 else { return }
    let isCut = text.utf8.count > remainingByteCount
    TestProcess.current.printOutput(
      isCut
        ? text.prefix(remainingByteCount) + "…\n(the app printed more, which is not shown)\n" : text
    )
  }

  /// Prints or keeps the lines that a process printed before it ended, and keeps its whole output
  /// for the attachment.
  func finishOutput(_ output: AppOutput) {
    showNewLines(output)
    let lines = outputTime == .atScenarioEnd ? output.newLines() : []
    linesToPrint.withLock { launchLines in
      guard !lines.isEmpty, launchLines.count < Self.keptLaunchLimit, !launchLines.contains(lines)
      else { return }
      launchLines.append(lines)
    }
    let text = output.text
    guard !text.isEmpty else { return }
    launchOutputs.withLock { $0.append("launch \(output.launchNumber):\n\(text)\n") }
  }

  /// Prints the app's output in the runs of a scenario. Output that is the same in several launches
  /// is printed once. If the scenario did not pass, attaches the output to the test.
  func showOutput(of scenario: Scenario, after result: ScenarioResult?) {
    let lines = linesToPrint.withLock { $0.flatMap(\.self) }
    show(lines.map { "\(scenario.id.escapedExcerpt): \($0)" })
    let output = launchOutputs.withLock { $0.joined(separator: "\n") }
    guard result?.verdict != .passed, !output.isEmpty else { return }
    let fileNamePrefix = scenario.id.replacing("/", with: "-")
    Attachment.record(output, named: "\(fileNamePrefix).output.txt")
  }
}

extension Scenario {
  /// Attaches to the test the output of the last process that crashed, if any.
  package func attachCrash(of host: any AppHost) {
    guard let text = (host as? ProcessHost)?.crashOutput.withLock({ $0 }) else { return }
    Attachment.record(text, named: "\(id.replacing("/", with: "-")).crash.txt")
  }
}
