import BackupContainer
import CBackupProcess
import Foundation

/// A process that has loaded the app's libraries and has done nothing else yet. Processes forked
/// from it need not load them, so they start much faster.
///
/// A forked process is like any other process of its executable, because the server stops in the
/// loader, before the initializers of any library run (`CForkServer.h`). The server is a child of
/// this process.
final class ForkServer: Sendable {
  /// The properties that all processes forked from one server share.
  struct Key: Hashable {
    let executable: Data
    let arguments: [Data]
    /// The variables that the loader and the allocator read.
    let variables: [Data]
    /// The resource limits and the permission mask that children of this process inherit.
    let inheritance: Data

    /// The prefixes of the names of variables that the loader and the allocator read.
    private static let variablePrefixes = ["LD_", "GLIBC_TUNABLES", "MALLOC_"].map { Data($0.utf8) }

    init(_ command: AppCommand) {
      self.executable = command.recipe.executable
      self.arguments = command.recipe.arguments
      self.variables = command.environment.filter { variable in
        Self.variablePrefixes.contains { variable.starts(with: $0) }
      }
      var bytes = [UInt8](repeating: 0, count: Int(CPR_INHERITANCE_SIZE))
      cpr_find_inheritance(&bytes)
      self.inheritance = Data(bytes)
    }
  }

  /// The servers of this process. The value is nil if processes with this key are started without a
  /// server. The system then refused to fork, or the server ended before its first fork.
  private static let servers = Locked<[Key: ForkServer?]>([:])
  private static let ownExecutable = AppRecipe.ofThisProcess()?.executable

  /// Forks a process from its server, or returns nil if the process must be started without one.
  static func fork(
    _ command: AppCommand, printingTo output: Int32, _ channel: AppChannel
  ) -> cpr_child? {
    guard cpr_fork_server_variable() != nil, cpr_can_fork_from_server() != 0,
      command.recipe.executable == ownExecutable
    else { return nil }
    let key = Key(command)
    guard let server = shared(for: command, key) else { return nil }
    var child = cpr_child()
    let error = server.requestFork(of: command, printingTo: output, channel, &child)
    switch error {
    case 0:
      server.hasForked.withLock { $0 = true }
      return child
    // The server has ended. If it has forked before, a later process gets a new server. If it has
    // not, a new server would end in the same way.
    case EPIPE, ECONNRESET:
      replace(server, by: server.hasForked.withLock { $0 } ? .none : .some(nil), for: key)
    // The system does not fork processes in this way, so the server is not asked again.
    case ENOSYS, ENOTSUP, EPERM, EINVAL: replace(server, by: .some(nil), for: key)
    // For example, the server or the machine has too little memory for now. This process is started
    // without a server.
    default: break
    }
    return nil
  }

  /// Replaces a server, unless another thread did so before. If `replacement` is nil, a later
  /// process gets a new server. If `replacement` is `.some(nil)`, later processes have no server.
  private static func replace(_ server: ForkServer, by replacement: ForkServer??, for key: Key) {
    servers.withLock { servers in
      if let knownServer = servers[key], knownServer === server { servers[key] = replacement }
    }
  }

  /// Returns the server for processes with this key; nil if there can be none.
  static func shared(for command: AppCommand, _ key: Key) -> ForkServer? {
    servers.withLock { servers in
      if let knownServer = servers[key] { return knownServer }
      guard let server = ForkServer(command, loaderVariables: key.variables) else { return nil }
      servers[key] = .some(server)
      return server
    }
  }

  /// The environment of a later process may have this many more variables and bytes than that of
  /// the first process.
  private static let spareRoom = (variables: 32, bytes: 8192)

  /// This process's end of the connection to the server. The lock permits one request at a time.
  private let channel: Locked<AppChannel>
  /// True if the server has forked a process.
  private let hasForked = Locked(false)

  private init?(_ command: AppCommand, loaderVariables variables: [Data]) {
    var ends: [Int32] = [0, 0]
    guard cpr_fork_channel(&ends) == 0 else { return nil }
    let (kitEnd, serverEnd) = (AppChannel(descriptor: ends[0]), AppChannel(descriptor: ends[1]))
    let environment = Self.environment(with: variables, for: command)
    guard let processID = Self.start(command, environment, serverEnd) else { return nil }
    self.channel = Locked(kitEnd)
    if startThread({ cpr_follow_fork_server(processID) }) != 0 {
      kill(processID, SIGKILL)
      cpr_follow_fork_server(processID)
      return nil
    }
  }

  private static func start(
    _ command: AppCommand, _ environment: [Data], _ channel: AppChannel
  ) -> Int32? {
    let nullDevice = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nullDevice >= 0 else { return nil }
    defer { close(nullDevice) }
    var processID: Int32 = 0
    let error = AppCommand(
      command.recipe, variables: [:], directory: "/", output: command.output
    ).withCCommand(environment: environment) { command in
      cpr_start_alone(&command, nullDevice, channel.descriptor, &processID)
    }
    return error == 0 ? processID : nil
  }

  /// Returns the environment of a server. A forked process writes its own environment into the same
  /// memory, so the server's environment also has fillers.
  private static func environment(with variables: [Data], for command: AppCommand) -> [Data] {
    let serverVariable =
      cpr_fork_server_variable().map { Data(bytes: $0, count: strlen($0)) } ?? Data()
    let neededVariables = command.environment
    let byteCount = neededVariables.reduce(spareRoom.bytes) { $0 + $1.count + 1 }
    let fillers: [Data] = (0..<neededVariables.count + spareRoom.variables).map {
      Data("ROOM\($0)=".utf8)
    }
    // Without this variable, each forked process would look up the libraries' functions again.
    let bindNow = Data("LD_BIND_NOW=1".utf8)
    let spareVariable = Data("ROOM=\(String(repeating: ".", count: byteCount))".utf8)
    return [serverVariable, bindNow] + variables + fillers + [spareVariable]
  }

  /// Asks the server to fork a process.
  ///
  /// - Returns: 0 or an error number; E2BIG if the server lacks space for the environment.
  private func requestFork(
    of command: AppCommand, printingTo output: Int32, _ channel: AppChannel,
    _ child: inout cpr_child
  ) -> Int32 {
    let environment = Data(command.environment.flatMap { $0 + [0] })
    return self.channel.withLock { server in
      environment.withUnsafeBytes { bytes in
        command.directory.withCString { directory in
          var fork = cpr_fork(
            environment: bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
            environment_size: bytes.count, directory: directory, output: output,
            channel: channel.descriptor)
          return cpr_fork_from(server.descriptor, &fork, &child)
        }
      }
    }
  }
}
