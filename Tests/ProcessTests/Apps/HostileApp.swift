import Foundation

@testable import BackupScenarios
@testable import BackupTesting

/// An app whose actions work against the kit.
enum HostileApp: AppUnderTest {
  static let actions: AppActions = [
    "write": { action in
      let bytes: [UInt8] = try action.argument("bytes")
      _ = write(200, bytes, bytes.count)
    },
    "execute": { _ in
      var words = [strdup("/bin/sleep"), strdup("300"), nil]
      execv("/bin/sleep", &words)
    },
    "leave": { action in
      let script =
        "exec 3> '\(try action.argument("pipe", as: String.self))'; "
        + "env -i /usr/bin/setsid -f /bin/sleep 300 > /dev/null 2>&1; echo left >&3"
      let command = ProcessCommand(
        executable: "/bin/sh", words: ["sh", "-c", script], environment: [:],
        directory: action.container.url.path, timeLimit: 60)
      _ = try await command.run().get()
    },
    "link": { action in
      let library = action.container.library
      try FileManager.default.removeItem(at: library)
      try FileManager.default.createSymbolicLink(
        atPath: library.path, withDestinationPath: action.argument("to"))
    },
    "nothing": { _ in },
  ]
}
