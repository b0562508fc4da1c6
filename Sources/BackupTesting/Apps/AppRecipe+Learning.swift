import BackupApp
import CBackupProcess
import Foundation
import Testing

#if os(macOS) || os(Linux)

  extension AppRecipe {
    /// Has the test library start a process, once, to see how it does.
    ///
    /// Within a running test only: anywhere else the library ends this process.
    ///
    /// - Returns: The recipe; nil if the process has not said it, which is an issue where it
    ///   failed.
    static func learn() async -> AppRecipe? {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        await AppServer.begin()
      }
      return result.flatMap { AppRecipe(printed: $0.standardOutputContent) }
    }

    /// Whether processes can be started here.
    static let canBeLearned = true
  }

#else

  extension AppRecipe {
    /// Nothing: this platform starts no processes.
    static func learn() async -> AppRecipe? { nil }

    static let canBeLearned = false
  }

#endif

extension AppRecipe {
  /// The recipe of this process, learned when it is first asked for; nil if it cannot be learned.
  static let known = Task { await learn() }

  /// The error number of what the machine lacks to learn it; 0 if nothing. The process that the test
  /// library starts would wait for its threads without end.
  static let lack = cpr_can_have(Int32(ProcessInfo.processInfo.activeProcessorCount + 6))
}
