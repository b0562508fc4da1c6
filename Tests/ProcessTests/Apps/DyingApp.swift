#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

/// An app whose actions crash, exit, hang or fail.
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
    "overflow": { _ in print(recurse(1)) },
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

  /// An error type of the app that contains an error of Foundation.
  enum OwnError: Error {
    case wrapping(any Error)
  }

  private static func recurse(_ depth: Int) -> Int {
    depth == 0 ? 0 : recurse(depth + 1) + recurse(depth + 2)
  }
}

/// An app whose launch throws an error.
enum UnwillingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws { throw CocoaError(.coderInvalidValue) }

  static let actions: AppActions = ["act": { _ in }]
}
#endif
