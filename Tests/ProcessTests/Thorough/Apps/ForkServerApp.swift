#if os(macOS) || os(Linux)
import CBackupProcess
import Foundation
import TestSupport
import Testing

@testable import BackupApp
@testable import BackupScenarios
@testable import BackupTesting

/// An app whose actions start processes through a fork server, and then kill, stop or overload it.
enum ForkServerApp: AppUnderTest {
  static let actions: AppActions = [
    "killServer": { _ in
      let folder = try TestFolder()
      let process = try await start(in: folder)
      let server = try await onlyServer(for: folder)
      kill(server, SIGKILL)
      await waitUntilReaped(server)
      let next = try await start(in: folder)
      let (isRunning, isNextRunning) = try await (answers(process), answers(next))
      #expect(isRunning && isNextRunning)
      _ = try await start(in: folder)
      let other = try await onlyServer(for: folder)
      #expect(other != server)
    },
    "killIdleServer": { _ in
      let folder = try TestFolder()
      let command = try command(in: folder)
      for _ in 0..<50 where servers.isEmpty {
        _ = ForkServer.shared(for: command, ForkServer.Key(command))
      }
      let server = try #require(servers.first)
      kill(server, SIGKILL)
      await waitUntilReaped(server)
      for _ in 0..<3 {
        let process = try await start(in: folder)
        let isRunning = try await answers(process)
        #expect(isRunning && servers.isEmpty)
      }
    },
    "stopServer": { _ in
      let folder = try TestFolder()
      _ = try await start(in: folder)
      let server = try await onlyServer(for: folder)
      kill(server, SIGSTOP)
      let next = try await start(in: folder)
      let isRunning = try await answers(next)
      #expect(isRunning)
      await waitUntilReaped(server)
    },
    "startNowhere": { _ in
      let folder = try TestFolder()
      let process = try await start(in: folder)
      let server = try await onlyServer(for: folder)
      await #expect(throws: AppFailure.self) { try await start(in: folder, "missing") }
      let isRunning = try await answers(process)
      #expect(isRunning)
      let laterServer = try await onlyServer(for: folder)
      #expect(laterServer == server)
    },
    "outgrowServer": { _ in
      let folder = try TestFolder()
      _ = try await start(in: folder)
      let server = try await onlyServer(for: folder)
      let variable = ["VARIABLE": String(repeating: "x", count: 20_000)]
      let forked = try await start(in: folder)
      let process = try await start(in: folder, variables: variable)
      #expect(try shown(of: process, "environ").contains("VARIABLE=xxx"))
      // A forked process has unused room after its variables.
      #expect(try shown(of: forked, "environ").hasSuffix("\0\0"))
      #expect(try !shown(of: process, "environ").hasSuffix("\0\0"))
      let laterServer = try await onlyServer(for: folder)
      #expect(laterServer == server)
    },
    "limitProcesses": { _ in
      let folder = try TestFolder()
      let earlier = try await start(in: folder)
      umask(0o027)
      var most = rlimit()
      getrlimit(fileSize, &most)
      most.rlim_cur = 1 << 40
      setrlimit(fileSize, &most)
      let process = try await start(in: folder)
      #expect(try shown(of: process, "status").contains("Umask:\t0027"))
      #expect(try shown(of: process, "limits").contains("\(1 << 40)"))
      #expect(try !shown(of: earlier, "status").contains("Umask:\t0027"))
      #expect(servers.count == 2)
    },
  ]

  /// Whether fork servers start the processes here. With a sanitizer, they do not.
  static let canFork = cpr_fork_server_variable() != nil && cpr_can_fork_from_server() != 0

  /// The value of Linux's `RLIMIT_FSIZE`, which does not have the type of the calls' parameter.
  private static let fileSize: Int32 = 1

  /// Starts another process of this program, and waits until it accepts requests.
  private static func start(
    in folder: TestFolder, _ directory: String = "", variables: [String: String] = [:]
  ) async throws -> AppProcess {
    let process = try await AppProcess(command(in: folder, directory, variables: variables))
    _ = try await process.message(within: nil).get()
    return process
  }

  /// The command that starts another process of this program.
  private static func command(
    in folder: TestFolder, _ directory: String = "", variables: [String: String] = [:]
  ) throws -> AppCommand {
    AppCommand(
      try #require(AppRecipe.ofThisProcess()), variables: variables,
      directory: folder.path + "/" + directory, output: folder.openOutput())
  }

  /// Whether a process answers a request.
  private static func answers(_ process: AppProcess) async throws -> Bool {
    let request = try AppMessage<AppRequest>(1, .flush).data()
    return if case .success = await process.answer(to: request, within: nil) { true } else { false }
  }

  /// The text of a process's file in `/proc`, for example `environ`.
  private static func shown(of process: AppProcess, _ name: String) throws -> String {
    try String(contentsOfFile: "/proc/\(process.id)/\(name)", encoding: .utf8)
  }

  /// The ids of this process's fork servers.
  private static var servers: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let variable = cpr_fork_server_variable().map { String(cString: $0) } ?? "-"
    return names.compactMap { Int32($0) }.filter { process in
      let files = FileManager.default
      let environment = files.contents(atPath: "/proc/\(process)/environ") ?? Data()
      let status = files.contents(atPath: "/proc/\(process)/status") ?? Data()
      return environment.starts(with: Data(variable.utf8))
        && !String(decoding: status, as: UTF8.self).hasPrefix("Name:\tbackup-keeper\n")
        && String(decoding: status, as: UTF8.self).contains("\nPPid:\t\(getpid())\n")
    }
  }

  /// The id of the only fork server.
  ///
  /// If the machine briefly lacks something, a process starts without a server. This function then
  /// starts more processes until a server exists.
  private static func onlyServer(for folder: TestFolder) async throws -> Int32 {
    for _ in 0..<50 where servers.isEmpty { _ = try await start(in: folder) }
    let servers = servers
    try #require(
      servers.count == 1,
      "of \(AppRecipe.ofThisProcess()?.environment.count ?? 0) variables: \(servers)")
    return servers[0]
  }

  /// Waits until a process has ended and is reaped.
  private static func waitUntilReaped(_ process: Int32) async {
    while kill(process, 0) == 0 { await Task.yield() }
  }
}
#endif
