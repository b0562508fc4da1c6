#if os(macOS) || os(Linux)
import Foundation

@testable import BackupApp
@testable import BackupScenarios
@testable import BackupTesting

/// An error whose description the app chooses.
struct ForgedError: Error, CustomStringConvertible {
  let description: String
}

/// An app whose actions attack the kit, for example through its file descriptor 200.
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
    "keepConnection": { _ in
      // The child inherits the kit's descriptor. `setsid` gives it its own session and group.
      _ = fcntl(200, F_SETFD, 0)
      let command = ["setsid", "-f", "/bin/sleep", "300"]
      var words = command.map { strdup($0) } + [nil]
      var variables: [UnsafeMutablePointer<CChar>?] = [nil]
      var process: pid_t = 0
      _ = posix_spawn(&process, "/usr/bin/setsid", nil, nil, &words, &variables)
      var status: Int32 = 0
      waitpid(process, &status, 0)
    },
    "link": { action in
      let library = action.container.library
      try FileManager.default.removeItem(at: library)
      try FileManager.default.createSymbolicLink(
        atPath: library.path, withDestinationPath: action.argument("to"))
    },
    "replaceDevice": { action in
      let device = action.container.url.deletingLastPathComponent()
      let files = FileManager.default
      try files.moveItem(at: device, to: URL(fileURLWithPath: device.path + "-moved"))
      try files.createSymbolicLink(
        atPath: device.path, withDestinationPath: action.argument("to"))
    },
    "say": { _ in throw ForgedError(description: "red \u{1B}[31m\n::error::forged") },
    "close": { _ in close(200) },
    "end": { _ in _exit(3) },
    "forge": { action in
      let channel = AppChannel(descriptor: dup(200))
      // Request 1 was the launch. The app forges the replies to request 2, which is this action,
      // and to request 3, which waits for work after the action.
      for number in 2...3 {
        var reply = AppReply()
        if number == 2 {
          reply.issues = [("odd", 1), ("", 1), ("/", 1), ("a/b", 0), ("a/b", .min)].map {
            AppReply.Issue(
              "forged", isWarning: false,
              at: CallSite(fileID: $0, file: "/odd", line: $1, column: $1))
          }
        }
        channel.send(reply.message(to: number, maximumSize: 10_000))
      }
    },
    "removeHome": { action in try FileManager.default.removeItem(at: action.container.url) },
    "nothing": { _ in },
  ]
}
#endif
