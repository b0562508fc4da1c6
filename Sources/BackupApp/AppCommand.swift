import CBackupProcess
package import Foundation

/// A process of the app's that is to be started.
package struct AppCommand: Sendable {
  /// How the test library starts one.
  let recipe: AppRecipe
  /// The variables that it has beside those, or in their place.
  let variables: [String: String]
  let directory: String
  /// The file that takes what it prints.
  let output: FileHandle
  /// Whether it may be forked from a process that has loaded its libraries.
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

  func start(with channel: AppChannel) throws(AppFailure) -> cpr_child {
    let most = getdtablesize()
    guard most > Int32(CPR_CHANNEL) else {
      throw AppFailure(
        "the kit needs file descriptor \(CPR_CHANNEL) to talk to the app's process, but a process "
          + "can have only \(most) files open here; raise the limit with 'ulimit -n'")
    }
    let file = output.fileDescriptor
    if mayBeForked, let child = ForkServer.fork(self, printingTo: file, channel) {
      return child
    }
    var child = cpr_child()
    let error = lend { command in cpr_start_app(&command, file, channel.descriptor, &child) }
    guard error == 0 else {
      throw AppFailure("the process cannot be started: \(String(cString: strerror(error)))")
    }
    return child
  }

  /// All variables that it has, each as `NAME=VALUE`.
  var environment: [Data] { recipe.environment(with: variables) }

  /// Lends the command as C has it, with these variables or its own.
  func lend<Result>(
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
