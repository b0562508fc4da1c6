import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupVerdicts
import Foundation

extension Command {
  static let probeApp = Command(
    name: "probe-app", operandCounts: 0...0,
    summary: "Writes an app for an iPhone that finds out what iOS does with each kind of item.",
    discussion: """
      FOLDER must not exist yet, and must end in '.swiftpm'. Open it in Xcode, choose your team, and
      run it on an iPhone. The app makes the items, writes Documents/container.list, and says what to
      do next. If Xcode refuses the bundle identifier, give --app an identifier of your own.
      """,
    options: [.newFolder, app]
  ) { arguments in
    let path = try arguments.requiredValue(.newFolder).withoutEndingSlash
    let app = arguments.value(of: app) ?? exampleApp
    if let problem = ContainerPath.Component.problem(withApp: app) { throw CommandError(problem) }
    guard path.hasSuffix(".swiftpm") else {
      throw CommandError("\(path): the name of an app package ends in '.swiftpm'; add that ending")
    }
    let manifest = String(decoding: PackageResources.ContainerProbePackage_swift_txt, as: UTF8.self)
    let files = [
      ("Package", Array(manifest.replacingOccurrences(of: exampleApp, with: app).utf8)),
      ("Sources/ContainerProbe", PackageResources.ContainerProbe_swift_txt),
      ("Sources/ContainerProbeApp", PackageResources.ContainerProbeApp_swift_txt),
      ("Sources/ContainerProbeItems", PackageResources.ContainerProbeItems_swift_txt),
      ("Sources/ContainerProbeMaking", PackageResources.ContainerProbeMaking_swift_txt),
    ]
    do {
      try ScratchFolder.makeFolder(at: path) { folder in
        for (name, bytes) in files {
          let file = TextFile(path: folder.appendingPathComponent("\(name).swift").path)
          try file.makeFolder()
          try file.writeNew(String(decoding: bytes, as: UTF8.self))
        }
      }
    } catch {
      throw CommandError("\(path): \((error as? RunError)?.description ?? error.reason)")
    }
    try Output.print("\(path): open it in Xcode, choose your team, and run it on an iPhone\n")
    return .success
  }

  private static let app = Option(
    "--app", value: "ID", "its bundle identifier; default: \(exampleApp)")
  /// The resource `ContainerProbePackage` contains the same identifier.
  private static let exampleApp = "com.example.backup-probe"
}
