import CBackupProcess
package import Foundation

/// A command that starts a process of the app.
package struct AppCommand: Sendable {
  let recipe: AppRecipe
  /// Environment variables that are added to the recipe's variables, or replace them.
  let variables: [String: String]
  /// The working directory of the process.
  let directory: String
  /// The file for the standard output and error of the process.
  let output: FileHandle
  /// True if the process may be forked from a ``ForkServer``, which has already loaded the
  /// libraries.
  let mayBeForked: Bool

  package init(
    _ recipe: AppRecipe, variables: [String: String], directory: String, output: FileHandle,
    mayBeForked: Bool = true
  ) {
    self.recipe = recipe
    self.variables = variables
    self.directory = directory
    self.output = output
    self.mayBeForked = mayBeForked
  }

  /// Starts the process. It gets `channel` as its end of the connection to the kit.
  func start(with channel: AppChannel) throws(AppFailure) -> cpr_child {
    let openFileLimit = getdtablesize()
    guard openFileLimit > Int32(CPR_CHANNEL) else {
      throw AppFailure(
        "the kit needs file descriptor \(CPR_CHANNEL) to talk to the app's process, but a process "
          + "can have only \(openFileLimit) files open here; raise the limit with 'ulimit -n'")
    }
    let outputDescriptor = output.fileDescriptor
    if mayBeForked, let child = ForkServer.fork(self, printingTo: outputDescriptor, channel) {
      return child
    }
    var child = cpr_child()
    let error = withCCommand { command in
      cpr_start_app(&command, outputDescriptor, channel.descriptor, &child)
    }
    guard error == 0 else {
      throw AppFailure(
        "the process cannot be started: \(String(cString: strerror(error)))", because: error)
    }
    return child
  }

  /// The whole environment of the process. Each variable is `NAME=VALUE`.
  var environment: [Data] { recipe.environment(with: variables) }

  /// Calls `body` with the command as a C value. If `environment` is not nil, it replaces the
  /// command's own.
  func withCCommand<Result>(
    environment: [Data]? = nil, _ body: (inout cpr_command) -> Result
  ) -> Result {
    [recipe.executable, Data(directory.utf8)].withCStrings { paths in
      recipe.arguments.withCStrings { arguments in
        (environment ?? self.environment).withCStrings { environment in
          var command = cpr_command(
            executable: paths[0], arguments: arguments, environment: environment,
            directory: paths[1])
          return body(&command)
        }
      }
    }
  }
}

/// The executable, the arguments and the environment with which a process of the app is started.
/// The kit takes them from a process that a test library started.
package struct AppRecipe: Codable, Hashable, Sendable {
  /// The absolute path of the executable.
  let executable: Data
  /// The arguments. The first is the executable's name.
  let arguments: [Data]
  /// The environment. Each variable is `NAME=VALUE`, in bytes, because a value need not be text.
  let environment: [Data]

  /// Returns the recipe of this process, or nil if the system does not report it.
  package static func ofThisProcess() -> AppRecipe? {
    var start = cpr_own_start()
    guard cpr_find_start(&start) == 0 else { return nil }
    defer { cpr_free_start(&start) }
    return AppRecipe(
      executable: start.executable.map { Data(bytes: $0, count: strlen($0)) } ?? Data(),
      arguments: splitAtNULs(start.arguments, start.arguments_size),
      // A forked process has unused space after its variables, which looks like empty variables.
      environment: splitAtNULs(start.environment, start.environment_size).filter { !$0.isEmpty })
  }

  /// Splits bytes at each NUL. If the last byte is a NUL, it only ends the last part.
  private static func splitAtNULs(_ start: UnsafePointer<CChar>?, _ size: Int) -> [Data] {
    guard let start, size > 0 else { return [] }
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    let end = bytes.last == 0 ? size - 1 : size
    return bytes[..<end].split(separator: 0, omittingEmptySubsequences: false).map { Data($0) }
  }

  /// Returns the recipe's environment with `variables`, which replace variables of the same name.
  func environment(with variables: [String: String]) -> [Data] {
    let names = Set(variables.keys.map { Data($0.utf8) })
    return environment.filter { !names.contains(Data($0.prefix { $0 != UInt8(ascii: "=") })) }
      + variables.map { Data("\($0.key)=\($0.value)".utf8) }
  }
}

extension AppRecipe {
  /// The text before and after a recipe in the output of a process.
  private static let marker = "<backup-testing-recipe>"

  /// A line with the recipe, for the output of a process.
  package var outputLine: String {
    let data = (try? JSONEncoder().encode(self)) ?? Data()
    return "\n\(Self.marker)\(data.base64EncodedString())\(Self.marker)\n"
  }

  /// Creates the recipe from the output of a process. Returns nil if the output has no recipe.
  package init?(printed bytes: some Sequence<UInt8>) {
    let parts = String(decoding: Array(bytes), as: UTF8.self).components(separatedBy: Self.marker)
    guard parts.count == 3, let data = Data(base64Encoded: parts[1]),
      let recipe = try? JSONDecoder().decode(AppRecipe.self, from: data)
    else { return nil }
    self = recipe
  }
}

extension [String] {
  /// Calls `body` with the texts as C strings, with NULL after the last.
  package func withCStrings<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    map { Data($0.utf8) }.withCStrings(body)
  }
}

extension [Data] {
  /// Calls `body` with the bytes as C strings, each ended by a NUL, with NULL after the last.
  package func withCStrings<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = map { strdup($0.map(CChar.init(bitPattern:)) + [0]) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
      guard let firstPointer = buffer.baseAddress else {
        preconditionFailure("an array with a NULL")
      }
      return body(firstPointer)
    }
  }
}
