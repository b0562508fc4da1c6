import Foundation
import PackagePlugin

/// `swift package backup-testing …` builds the tool and runs it in the package's folder.
///
/// The plugin does not depend on the tool, so a package's build compiles the tool only if somebody
/// runs the plugin.
@main struct BackupTestingCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    guard arguments.first != "test" else {
      return Diagnostics.error(
        "SwiftPM tests nothing while a plugin of the package runs; run 'swift run backup-testing test'"
      )
    }
    let build = try packageManager.build(
      .product("backup-testing"), parameters: .init(configuration: .debug, logging: .concise))
    guard build.succeeded,
      let tool = build.builtArtifacts.first(where: { $0.url.lastPathComponent == "backup-testing" })
    else {
      return Diagnostics.error("the tool backup-testing cannot be built:\n\(build.logText)")
    }
    let process = Process()
    process.executableURL = tool.url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { exit(process.terminationStatus) }
  }
}
