import BackupApp
import BackupDiagnostics
import CBackupProcess
import Foundation

/// A running tool, on the thread that waits for it.
struct ChildProcess {
  /// The longest wait until killed processes have closed the output.
  private static let closingTime = Duration.seconds(1)

  private let child: cpr_child
  /// The event that wakes the waiting thread when the tool ends or must end.
  let event: ExitEvent
  let deadline: SuspendingClock.Instant
  private var output = ProcessOutput()
  /// True if the tool, or a process that it started, may print more.
  private var isOutputOpen: Bool

  init(child: cpr_child, event: ExitEvent, deadline: SuspendingClock.Instant) {
    self.child = child
    self.event = event
    self.deadline = deadline
    self.isOutputOpen = child.output >= 0
  }

  /// Kills the tool, if no thread can wait for it.
  func abandon() {
    cpr_kill(child)
    var end = cpr_end()
    // The status is not used, because the tool was killed.
    _ = cpr_reap(child, &end)
    closeOutput()
  }

  private func closeOutput() {
    if child.output >= 0 { close(child.output) }
  }

  /// Reads the output of the tool until it ends or must end. Processes that it leaves running are
  /// killed.
  ///
  /// - Returns: The cause of its end, and its output.
  mutating func waitForEnd() -> ProcessCommand.End {
    let reason = readOutput()
    if reason == .timeLimit || reason == .cancelled { cpr_kill(child) }
    var latest = reason
    while latest == .timeLimit || latest == .cancelled { latest = event.next() }
    var end = cpr_end()
    let isReaped = cpr_reap(child, &end) == 0
    readRemainingOutput()
    closeOutput()
    return ProcessCommand.End(cause: cause(reason, isReaped ? end : nil), output: output)
  }

  /// Returns the cause of the tool's end: the reason why it was killed, or its status. `end` is nil
  /// if the status is unknown.
  private func cause(_ reason: ExitEvent.Reason, _ end: cpr_end?) -> Termination {
    switch reason {
    case .timeLimit: return .timeLimit
    case .cancelled: return .cancelled
    case .ended, .lost:
      guard let end else { return .unknown }
      if end.stop != 0 { return .stopped(end.stop) }
      return end.signal == 0 ? .exited(end.status) : .signal(end.signal)
    }
  }

  /// Reads output until the event comes, or the time is over.
  private mutating func readOutput() -> ExitEvent.Reason {
    while true {
      let ready = poll([event.descriptor, isOutputOpen ? child.output : -1], until: deadline)
      if ready[1] { readAvailableOutput() }
      if ready[0] { return event.next() }
      if .now >= deadline { return .timeLimit }
    }
  }

  /// Reads the remaining output until all processes have closed it, but not for long: a process
  /// that left the tool's group may have it open forever.
  private mutating func readRemainingOutput() {
    let deadline = SuspendingClock.now + Self.closingTime
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

  /// Waits for descriptors until a deadline. A descriptor of -1 is ignored.
  ///
  /// - Returns: True for each descriptor that can be read or is closed. After the deadline or a
  ///   signal, all values are false.
  private func poll(_ descriptors: [Int32], until deadline: SuspendingClock.Instant) -> [Bool] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let left = SuspendingClock.now.duration(to: deadline) / .milliseconds(1)
    let timeout = Int32(max(0, min(left.rounded(.up), Double(Int32.max))))
    guard Foundation.poll(&polled, nfds_t(polled.count), timeout) > 0 else {
      return descriptors.map { _ in false }
    }
    return polled.map { $0.revents != 0 }
  }
}

/// A pipe that wakes the thread that waits for a tool.
final class ExitEvent: Sendable {
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
    var ends: [Int32] = [0, 0]
    let error = cpr_pipe(&ends)
    guard error == 0 else { throw AppFailure(error, starting: tool) }
    self.descriptor = ends[0]
    self.writingEnd = ends[1]
  }

  deinit {
    close(descriptor)
    close(writingEnd)
  }

  func signal(_ reason: Reason) {
    var byte = reason.rawValue
    while write(writingEnd, &byte, 1) < 0, errno == EINTR {}
  }

  func next() -> Reason {
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) < 0, errno == EINTR {}
    return Reason(rawValue: byte) ?? .lost
  }
}

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

  var isOwnFailure: Bool {
    switch self {
    case .exited, .signal, .stopped: true
    case .timeLimit, .cancelled, .unknown: false
    }
  }

  /// Returns the cause in words, to follow the name of the tool.
  package func description(timeLimit: Double) -> String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .signal(let number):
      "was ended by signal \(number) (\(String(cString: strsignal(number))))"
    case .stopped(let number):
      "was stopped by signal \(number) (\(String(cString: strsignal(number)))) and was killed; the kit "
        + "does not continue a stopped tool"
    case .timeLimit:
      "did not end within its time limit of \(Self.number(timeLimit)) seconds and was killed; "
        + "raise 'timeLimit' if it needs more"
    case .cancelled: "was killed because the test was cancelled"
    case .unknown: "ended with an unknown status; check whether this process ignores SIGCHLD"
    }
  }

  private static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}

/// The output of a tool, at most its last 64 KiB.
package struct ProcessOutput: Sendable {
  /// The largest number of bytes that are kept.
  package static let largestSize = 65_536

  /// The latest bytes, at times more than are kept in the end.
  private var bytes: [UInt8] = []
  private var droppedCount = 0

  /// Creates an output of which all `count` bytes are left out.
  package init(leavingOut count: Int = 0) {
    self.droppedCount = count
  }

  package mutating func append(_ more: some Collection<UInt8>) {
    bytes += more
    if bytes.count > 4 * Self.largestSize { trim() }
  }

  /// The lines, with control characters escaped, after a note on what is left out at the beginning.
  package var text: String {
    var kept = self
    kept.trim()
    var lines = kept.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let note = "(the first \(kept.droppedCount.formattedSize) are not shown)"
    return ((kept.droppedCount > 0 ? [note] : []) + lines.map(Self.escaped)).joined(separator: "\n")
  }

  /// The text as it was printed, without the note.
  package var unescapedText: String {
    String(decoding: bytes.suffix(Self.largestSize), as: UTF8.self)
  }

  private mutating func trim() {
    let excess = max(0, bytes.count - Self.largestSize)
    bytes.removeFirst(excess)
    droppedCount += excess
  }

  private static func escaped(_ line: ArraySlice<UInt8>) -> String {
    EscapedText.escape(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
  }
}
