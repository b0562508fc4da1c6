import Foundation
import PackagePlugin

/// Copies the files that `backup-testing linux-shim` prints into the module that uses the plugin.
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
