#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

/// An app whose actions end badly.
enum DyingApp: AppUnderTest {
  static let actions: AppActions = [
    "fatal": { _ in
      print("before the end")
      fatalError("it had to be")
    },
    "exit": { _ in exit(0) },
    "status": { _ in exit(3) },
    "killed": { action in
      try Data(count: 10).write(to: action.container.documents.file("half"))
      kill(getpid(), SIGKILL)
    },
    "overflow": { _ in print(deep(1)) },
    "stopped": { _ in kill(getpid(), SIGSTOP) },
    "hang": { _ in
      while true { sleep(1) }
    },
    "missing": { action in
      _ = try Data(contentsOf: action.container.documents.file("missing"))
    },
    "elsewhere": { _ in _ = try Data(contentsOf: URL(fileURLWithPath: "/no/such/file")) },
    "own": { _ in throw OwnError.wrapping(CocoaError(.fileWriteOutOfSpace)) },
    "expect": { _ in #expect(Bool(false), "not so") },
    "record": { _ in Issue.record("look here", severity: .warning) },
    "argument": { action in
      let _: Int = try action.argument("id")
      try Data().write(to: action.container.documents.file("argument"))
    },
  ]

  /// An error of the app's own.
  enum OwnError: Error {
    case wrapping(any Error)
  }

  private static func deep(_ depth: Int) -> Int {
    depth == 0 ? 0 : deep(depth + 1) + deep(depth + 2)
  }
}

/// An app whose start fails.
enum UnwillingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws { throw CocoaError(.coderInvalidValue) }

  static let actions: AppActions = ["act": { _ in }]
}
#endif
