import Foundation
import PackagePlugin

/// Adds files to the module that uses the plugin: those that `backup-testing linux-shim` prints.
@main struct LinuxShim: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let resources = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("backup-testing/Resources")
    return ["ContainerShim", "ContainerRedirections", "ContainerXattr"].map { name in
      let file = resources.appendingPathComponent("\(name).swift.txt")
      let copy = context.pluginWorkDirectoryURL.appendingPathComponent("\(name).swift")
      return .buildCommand(
        displayName: "Copying \(name).swift", executable: URL(fileURLWithPath: "/bin/cp"),
        arguments: [file.path, copy.path], inputFiles: [file], outputFiles: [copy])
    }
  }
}
