import BackupApp
import BackupDiagnostics
import CBackupProcess
import Foundation

/// A running tool, as the thread that waits for it sees it.
struct ChildProcess {
  /// The maximum time in which killed processes must close the output.
  private static let closingTimeLimit = Duration.seconds(1)

  private let child: cpr_child
  /// The pipe that wakes the waiting thread when the tool ends or must end.
  let wakeUpPipe: WakeUpPipe
  let deadline: SuspendingClock.Instant
  private var output = ProcessOutput()
  /// True if the tool, or a process that it started, may print more.
  private var isOutputOpen: Bool

  init(child: cpr_child, wakeUpPipe: WakeUpPipe, deadline: SuspendingClock.Instant) {
    self.child = child
    self.wakeUpPipe = wakeUpPipe
    self.deadline = deadline
    self.isOutputOpen = child.output >= 0
  }

  /// Kills and reaps the tool. The kit needs this if it cannot start a thread to wait for the tool.
  func killAndReap() {
    cpr_kill(child)
    var end = cpr_end()
    // The status is not used, because the tool was killed.
    _ = cpr_reap(child, &end)
    closeOutput()
  }

  private func closeOutput() {
    if child.output >= 0 { close(child.output) }
  }

  /// Reads the tool's output until the tool ends, its time is over, or the test is cancelled. Kills
  /// the tool if it still runs.
  ///
  /// - Returns: The cause of the tool's end, and its output.
  mutating func waitForEnd() -> ProcessCommand.End {
    let reason = readOutput()
    if reason == .timeLimit || reason == .cancelled { cpr_kill(child) }
    var latestReason = reason
    while latestReason == .timeLimit || latestReason == .cancelled {
      latestReason = wakeUpPipe.next()
    }
    var end = cpr_end()
    let isReaped = cpr_reap(child, &end) == 0
    readRemainingOutput()
    closeOutput()
    return ProcessCommand.End(cause: cause(reason, isReaped ? end : nil), output: output)
  }

  /// Returns the cause of the tool's end: the reason why the kit killed the tool, or the tool's
  /// status. `end` is nil if the status is unknown.
  private func cause(_ reason: WakeUpPipe.Reason, _ end: cpr_end?) -> Termination {
    switch reason {
    case .timeLimit: return .timeLimit
    case .cancelled: return .cancelled
    case .ended, .lost:
      guard let end else { return .unknown }
      if end.stop != 0 { return .stopped(end.stop) }
      return end.signal == 0 ? .exited(end.status) : .signal(end.signal)
    }
  }

  /// Reads output until `wakeUpPipe` wakes this thread or the deadline passes.
  private mutating func readOutput() -> WakeUpPipe.Reason {
    while true {
      let isReady = poll(
        [wakeUpPipe.descriptor, isOutputOpen ? child.output : -1], until: deadline)
      if isReady[1] { readAvailableOutput() }
      if isReady[0] { return wakeUpPipe.next() }
      if .now >= deadline { return .timeLimit }
    }
  }

  /// Reads the remaining output until all processes have closed it. The time is limited, because a
  /// process that left the tool's group may keep the output open forever.
  private mutating func readRemainingOutput() {
    let deadline = SuspendingClock.now + Self.closingTimeLimit
    while isOutputOpen, .now < deadline {
      if poll([child.output], until: deadline)[0] { readAvailableOutput() }
    }
  }

  /// Reads the available output, at most 64 KiB.
  private mutating func readAvailableOutput() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(child.output, &bytes, bytes.count)
    if count > 0 {
      output.append(bytes.prefix(count))
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      isOutputOpen = false
    }
  }

  /// Waits until a descriptor can be read or the deadline passes. Ignores descriptors of -1.
  ///
  /// - Returns: True for each descriptor that can be read or is closed. After the deadline or a
  ///   signal, all values are false.
  private func poll(_ descriptors: [Int32], until deadline: SuspendingClock.Instant) -> [Bool] {
    var pollRequests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let milliseconds = SuspendingClock.now.duration(to: deadline) / .milliseconds(1)
    let timeout = Int32(max(0, min(milliseconds.rounded(.up), Double(Int32.max))))
    guard Foundation.poll(&pollRequests, nfds_t(pollRequests.count), timeout) > 0 else {
      return descriptors.map { _ in false }
    }
    return pollRequests.map { $0.revents != 0 }
  }
}

/// Wakes the thread that waits for a tool, by a byte in a pipe.
final class WakeUpPipe: Sendable {
  enum Reason: UInt8, Sendable {
    /// The tool has ended and waits to be reaped.
    case ended
    /// The tool has ended, and other code has reaped it.
    case lost
    case cancelled
    case timeLimit
  }

  let descriptor: Int32
  private let writingEnd: Int32

  init(for tool: String) throws(AppFailure) {
    var descriptors: [Int32] = [0, 0]
    let error = cpr_pipe(&descriptors)
    guard error == 0 else { throw AppFailure(error, starting: tool) }
    self.descriptor = descriptors[0]
    self.writingEnd = descriptors[1]
  }

  deinit {
    close(descriptor)
    close(writingEnd)
  }

  /// Wakes the waiting thread.
  func signal(_ reason: Reason) {
    var byte = reason.rawValue
    while write(writingEnd, &byte, 1) < 0, errno == EINTR {}
  }

  /// Waits for the next reason, and returns it.
  func next() -> Reason {
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) < 0, errno == EINTR {}
    return Reason(rawValue: byte) ?? .lost
  }
}

/// The cause of a tool's end.
package enum Termination: Hashable, Sendable {
  case exited(Int32)
  case signal(Int32)
  /// A signal stopped the tool, and the kit killed it.
  case stopped(Int32)
  /// The tool took too long, and the kit killed it.
  case timeLimit
  /// The test was cancelled, and the kit killed the tool.
  case cancelled
  /// Other code in this process has reaped the tool.
  case unknown

  /// True if the cause is in the tool, and not in its time limit, the test or other code.
  var isFailureOfTool: Bool {
    switch self {
    case .exited, .signal, .stopped: true
    case .timeLimit, .cancelled, .unknown: false
    }
  }

  /// Returns the end of a message that begins with the tool's name.
  package func description(timeLimit: Double) -> String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .signal(let number):
      "was ended by signal \(number) (\(String(cString: strsignal(number))))"
    case .stopped(let number):
      "was stopped by signal \(number) (\(String(cString: strsignal(number)))) and was killed; the kit "
        + "does not continue a stopped tool"
    case .timeLimit:
      "did not end within its time limit of \(Self.numberText(timeLimit)) seconds and was killed; "
        + "raise 'timeLimit' if it needs more"
    case .cancelled: "was killed because the test was cancelled"
    case .unknown: "ended with an unknown status; check whether this process ignores SIGCHLD"
    }
  }

  private static func numberText(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}

/// The output of a tool, at most its last 64 KiB.
package struct ProcessOutput: Sendable {
  /// The maximum number of bytes that an output keeps.
  package static let largestSize = 65_536

  /// The latest bytes. `trim()` removes those that exceed `largestSize`.
  private var bytes: [UInt8] = []
  private var omittedByteCount = 0

  /// Creates an empty output that omits `count` earlier bytes.
  package init(omittedByteCount count: Int = 0) {
    self.omittedByteCount = count
  }

  package mutating func append(_ newBytes: some Collection<UInt8>) {
    bytes += newBytes
    if bytes.count > 4 * Self.largestSize { trim() }
  }

  /// The lines, with escaped control characters. If the output omits bytes, the first line says so.
  package var text: String {
    var trimmed = self
    trimmed.trim()
    var lines = trimmed.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let note = "(the first \(trimmed.omittedByteCount.formattedSize) are not shown)"
    return ((trimmed.omittedByteCount > 0 ? [note] : []) + lines.map(Self.escaped)).joined(
      separator: "\n")
  }

  /// The text as the tool printed it.
  package var unescapedText: String {
    String(decoding: bytes.suffix(Self.largestSize), as: UTF8.self)
  }

  private mutating func trim() {
    let excess = max(0, bytes.count - Self.largestSize)
    bytes.removeFirst(excess)
    omittedByteCount += excess
  }

  private static func escaped(_ line: ArraySlice<UInt8>) -> String {
    EscapedText.escape(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
  }
}
