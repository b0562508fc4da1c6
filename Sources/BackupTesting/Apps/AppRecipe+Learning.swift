import BackupApp
import CBackupProcess
import Foundation
import Testing

#if os(macOS) || os(Linux)

  extension AppRecipe {
    /// Learns how to start a process of the app. For this, Swift Testing starts a process, which
    /// reports its executable, arguments and environment.
    ///
    /// Call this only within a running test. Outside of a test, Swift Testing ends this process.
    ///
    /// - Returns: The recipe, which contains these values; nil if the new process did not report
    ///   them. If that process failed, Swift Testing has also recorded an issue.
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
    /// Returns nil: this platform cannot start processes.
    static func learn() async -> AppRecipe? { nil }

    static let canBeLearned = false
  }

#endif

extension AppRecipe {
  /// The recipe that the kit uses in this process. The task begins when it is first used, and its
  /// value is nil if the recipe cannot be learned.
  static let learnedRecipe = Task { await learn() }

  /// The error number if this process cannot create enough threads to learn the recipe; otherwise
  /// 0.
  ///
  /// Without these threads, the process that Swift Testing starts would never end.
  static let threadErrorNumber = cpr_can_have(
    Int32(ProcessInfo.processInfo.activeProcessorCount + 6))
}
