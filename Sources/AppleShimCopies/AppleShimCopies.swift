import Foundation
import PackagePlugin

/// Compiles copies of the app's files that `AppFiles.txt` lists. On Linux the copies import
/// `AppleShim` for Apple's frameworks and have nothing of Objective-C.
@main struct AppleShimCopies: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    var originals: [String: URL] = [:]
    return try files(of: target).map { file in
      let name = file.lastPathComponent
      if let other = originals.updateValue(file, forKey: name) {
        throw CopyError("\(other.path) and \(file.path) have the same name; list one of them.")
      }
      // The same name as the original's would be two files of one name to the compiler.
      let copy = context.pluginWorkDirectoryURL.appendingPathComponent("Copy of \(name)")
      return .buildCommand(
        displayName: "Copying \(name)", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: [
          "-c", "sed -E \"$1\" \"$2\" > \"$3\"", "sh", script(for: file), file.path, copy.path,
        ],
        inputFiles: [file], outputFiles: [copy])
    }
  }

  private func files(of target: any Target) throws -> [URL] {
    let list = target.directoryURL.appendingPathComponent("AppFiles.txt")
    guard let text = try? String(contentsOf: list, encoding: .utf8) else {
      throw CopyError("\(list.path) cannot be read. List the app's files in it, one on each line.")
    }
    return try text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .flatMap { index, line in
        let path = line.trimmingCharacters(in: .whitespaces)
        guard !path.isEmpty, !path.hasPrefix("#") else { return [URL]() }
        let item = URL(fileURLWithPath: path, relativeTo: target.directoryURL).standardizedFileURL
        let files = swiftFiles(at: item)
        guard !files.isEmpty else {
          throw CopyError(
            "\(list.path):\(index + 1): expected a Swift file or a folder of Swift files, "
              + "relative to the list's folder, but found none at \(item.path).")
        }
        return files
      }
  }

  private func swiftFiles(at item: URL) -> [URL] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: item.path, isDirectory: &isFolder) else {
      return []
    }
    guard isFolder.boolValue else { return item.pathExtension == "swift" ? [item] : [] }
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: item.path)) ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted().map(item.appendingPathComponent)
  }

  /// What `sed` does with each file. The compiler names the original and its lines. An app's
  /// bridging header has Foundation in files that do not import it.
  private func script(for file: URL) -> String {
    #if os(Linux)
      let path = ["\\", "|", "&"].reduce(file.path) {
        $0.replacingOccurrences(of: $1, with: "\\\($1)")
      }
      let frameworks = """
        Darwin|ObjectiveC|os|OSLog|UIKit|SwiftUI|Combine|\
        CryptoKit|CoreData|UniformTypeIdentifiers|CoreFoundation|CoreGraphics|CoreImage|CoreLocation|\
        CoreServices|CoreSpotlight|CoreText|MobileCoreServices|AVFoundation|AVKit|Accelerate|\
        ActivityKit|AppIntents|AudioToolbox|BackgroundTasks|CallKit|CloudKit|CommonCrypto|Contacts|\
        GameController|ImageIO|Intents|LinkPresentation|LocalAuthentication|MapKit|MediaPlayer|\
        MessageUI|Metal|NaturalLanguage|Network|PDFKit|Photos|PhotosUI|PushKit|QuartzCore|QuickLook|\
        SafariServices|Security|Social|StoreKit|SystemConfiguration|UserNotifications|\
        WatchConnectivity|WebKit|WidgetKit
        """
      return #"""
        s/^([[:blank:]]*(@[[:alnum:]_]+[[:blank:]]+|(public|package|internal|private|fileprivate)[[:blank:]]+)*import[[:blank:]]+)((struct|class|enum|protocol|func|var|let|typealias)[[:blank:]]+)?(\#(frameworks))(\.[[:alnum:]_.]+)?([^[:alnum:]_]|$)/\1AppleShim\8/
        s/canImport\([[:blank:]]*(UIKit|Combine|os|OSLog|CryptoKit|UniformTypeIdentifiers)(\.[[:alnum:]_.]+)?[[:blank:]]*\)/canImport(AppleShim)/g
        /^[[:blank:]]*#(if|elseif)/s/os\([[:blank:]]*iOS[[:blank:]]*\)/os(Linux)/g
        s/@objcMembers\>[[:blank:]]*//g
        s/@objc\>(\([^)]*\))?[[:blank:]]*//g
        s/@(nonobjc|IBAction|IBOutlet|IBInspectable|IBDesignable)\>[[:blank:]]*//g
        s/#selector\(([^()]*(\([^()]*\))?[^()]*)\)/Selector("\1")/g
        s/#keyPath\(([^()]*)\)/"\1"/g
        1s|^|import AppleFoundationShim\n#sourceLocation(file: "\#(path)", line: 1)\n|
        """#
    #else
      return ""
    #endif
  }
}

private struct CopyError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
