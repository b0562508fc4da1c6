import BackupApp
import CBackupProcess
import Foundation
import Testing

#if os(macOS) || os(Linux)

  extension AppRecipe {
    /// Learns how Swift Testing starts a process, from one that it starts.
    ///
    /// Call this only within a running test: elsewhere, the test library ends this process.
    ///
    /// - Returns: The recipe; nil if the process did not report it. If the process failed, that is
    ///   also an issue.
    static func learn() async -> AppRecipe? {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        await AppServer.begin()
      }
      return result.flatMap { AppRecipe(printed: $0.standardOutputContent) }
    }

    /// True on platforms that can start processes.
    static let canBeLearned = true
  }

#else

  extension AppRecipe {
    /// Returns nil, because this platform cannot start processes.
    static func learn() async -> AppRecipe? { nil }

    static let canBeLearned = false
  }

#endif

extension AppRecipe {
  /// The recipe of this process, learned on first use; nil if it cannot be learned.
  static let learned = Task { await learn() }

  /// The error number for a resource that the machine lacks to learn the recipe; 0 if it lacks none.
  ///
  /// Without the resource, the process that the test library starts would wait for its threads without end.
  static let missingResource = cpr_can_have(
    Int32(ProcessInfo.processInfo.activeProcessorCount + 6))
}
