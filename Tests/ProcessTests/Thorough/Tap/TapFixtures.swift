#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

/// Changes files with Foundation. ``TapFoundationTests`` runs these tests in a process with the
/// tap.
@Suite(.enabled(if: TestRun.isCurrentProcess && TapTrial.loggedRoot != nil)) struct TapFixtures {
  /// The location of an item in the folder of the tap.
  private static func location(_ path: String) throws -> URL {
    try #require(TapTrial.loggedRoot).appendingPathComponent(path)
  }

  /// Bytes with different values.
  private static func bytes(_ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 / 3) })
  }

  @Test func `marks and unmarks`() throws {
    let file = try Self.location("file")
    try Data("x".utf8).write(to: file)
    try file.excludeFromBackup()
    try file.includeInBackup()
  }

  @Test func `maps a file`() throws {
    let descriptor = open(try Self.location("mapped").path, O_CREAT | O_RDWR, 0o600)
    #expect(ftruncate(descriptor, 4096) == 0)
    let mapped = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    let memory = try #require(mapped != MAP_FAILED ? mapped : nil)
    memset(memory + 10, 7, 5)
    #expect(msync(memory, 4096, MS_SYNC) == 0)
    memset(memory + 4000, 8, 2)
    #expect(munmap(memory, 4096) == 0)
    #expect(close(descriptor) == 0)
  }

  @Test func `works on many threads`() throws {
    let all = try Self.location("all")
    try Data().write(to: all)
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      for round in 0..<20 {
        do {
          try Self.bytes(100 * number + round).write(
            to: Self.location("file \(number)"), options: .atomic)
        } catch {
          Issue.record(error)
        }
        let shared = open(all.path, O_WRONLY | O_APPEND)
        #expect(write(shared, "abcdefghijklmnop", number + 1) == number + 1 && close(shared) == 0)
      }
    }
  }
}

/// The tap logs the changes that Foundation makes.
@Suite(
  .enabled(
    if: TapTrial.isTapAvailable && TestRun.canBeStarted,
    "there is no such library on this platform, or SwiftPM does not run the tests"))
struct TapFoundationTests {
  let trial: TapTrial

  init() throws {
    trial = try TapTrial()
  }

  /// Runs the test of `TapFixtures` whose name ends with `name`, in a process with the tap.
  private func run(_ name: String) async throws {
    let run = try await TestRun("TapFixtures.*\(name)", trial.variables())
    #expect(run.isSuccess, "\(run.output)")
    #expect(run.output.contains("Test run with 1 test"), "\(run.output)")
  }

  @Test func `repeating the logged changes of many threads gives the same folder`() async throws {
    try await run("threads")
    #expect(try trial.changes().count > 30)
    #expect(try trial.replayed() == trial.contents())
  }

  @Test func `marks are logged, and the kit's own attributes are not`() async throws {
    try await run("unmarks")
    let lines = try trial.lines().filter { $0.contains("mark") }
    #expect(lines == ["mark file resourceValue", "unmark file resourceValue"])
    let log = try Data(contentsOf: trial.log)
    #expect(log.range(of: Data("swift-backup-testing.identity".utf8)) == nil)
  }

  @Test func `writes through a memory mapping are logged`() async throws {
    try await run("maps")
    #expect(
      try trial.lines()
        == [
          "create mapped", "resize mapped 4096", "write mapped 10+5", "write mapped 4000+2",
        ])
  }
}
#endif
