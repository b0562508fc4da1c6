import BackupContainer
import BackupDiagnostics
import BackupReports
import BackupScenarios
import Foundation

extension TestedProject {
  /// Returns the files for a first test. If a container of the app was inspected, `app.json5` lists
  /// the container's folders.
  func newFiles(from inspection: Inspection?) -> [NewFile] {
    let testFiles = [
      NewFile(path: testPath, text: testText),
      NewFile(path: Self.appFilePath, text: appFileText(from: inspection)),
      NewFile(path: Self.scenarioPath, text: scenarioText),
    ]
    return (hasScenarios ? [] : testFiles) + [
      NewFile(
        path: Self.schemaPath, text: ScenarioSchema().text,
        summary: "the JSON Schema of scenario files"),
      NewFile(
        path: Self.appSchemaPath, text: ScenarioSchema().textOfAppFile,
        summary: "the JSON Schema of \(AppFile.name)"),
      NewFile(
        path: ".vscode/settings.json",
        text: Self.fill(PackageResources.EditorSettings_json_txt)),
      NewFile(path: ".gitattributes", text: "*.golden -text\n", isNeededInExistingFile: true),
      NewFile(
        path: ".gitignore", text: "*.golden.new\nresults.json\n", isNeededInExistingFile: true),
      NewFile(path: ".github/workflows/backup-tests.yml", text: workflowText),
    ]
  }

  private static let scenarioPath = "Scenarios/first.json5"
  private static let appFilePath = "Scenarios/\(AppFile.name)"
  private static let schemaPath = "Scenarios/scenario.schema.json"
  private static let appSchemaPath = "Scenarios/app.schema.json"
  private var testPath: String { "\(testFolder)/BackupTests.swift" }

  private var testText: String {
    guard xcodeProject == nil else {
      return Self.fill(PackageResources.FirstXcodeTest_swift_txt, ["MODULE": module])
    }
    let imports = ["BackupTesting", "Foundation", module, "Testing"].sorted()
    return Self.fill(
      PackageResources.FirstTest_swift_txt,
      ["MODULE": module, "IMPORTS": imports.map { "import \($0)\n" }.joined()])
  }

  /// Returns a template in which texts replace certain capitalized words.
  private static func fill(_ template: [UInt8], _ replacements: KeyValuePairs<String, String> = [:])
    -> String
  {
    replacements.reduce(String(decoding: template, as: UTF8.self)) {
      $0.replacing($1.key, with: $1.value)
    }
  }

  private var scenarioText: String {
    """
    {
      $schema: "scenario.schema.json",
      title: "The app's files are where they belong",
      steps: [
        // The action in \(testPath).
        { perform: "save" },
        { backup: "at night" },
      ],
    }

    """
  }

  private func appFileText(from inspection: Inspection?) -> String {
    let (suggestions, omittedCount) = inspection?.suggestions ?? ([], 0)
    let exampleLines = [
      "// \"Documents/**\": \"critical\",",
      "\"Library/Application Support/**\": \"offline\",",
      "// \"Library/Caches/**\": \"cached\",",
      "// \"tmp/**\": \"temporary\",",
    ]
    let suggestedLines = suggestions.map {
      "\(Self.quoted($0.pattern)): \"\($0.dataClass.rawValue)\",  // \($0.note)"
    }
    let omissionLine =
      omittedCount > 0 ? ["// … and \(omittedCount.counted("smaller folder"))"] : []
    let fileLines = (suggestedLines.isEmpty ? exampleLines : suggestedLines + omissionLine).map {
      "    \($0)\n"
    }.joined()
    let advice = suggestedLines.isEmpty ? "" : " Check what places and marks suggest:"
    return """
      {
        $schema: "app.schema.json",

        // The class of the app's files, for all scenarios. The first pattern that matches decides:
        // critical (the user's own), support, offline, cached or temporary (can be created or
        // downloaded again), or secret (must not leave the device).\(advice)
        files: {
      \(fileLines)  },
      }

      """
  }

  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // Every text can be encoded.
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }

  private var workflowText: String {
    guard let xcodeProject else { return Self.fill(PackageResources.Workflow_yml_txt) }
    let option = xcodeProject.hasSuffix(".xcodeproj") ? "-project" : "-workspace"
    return Self.fill(
      PackageResources.XcodeWorkflow_yml_txt,
      [
        "OPTION": option, "PROJECT": xcodeProject.quotedForShell,
        "SCHEME": appTarget.quotedForShell,
      ])
  }

  func nextSteps() throws -> String {
    let firstStep =
      try xcodeProject == nil
      ? "Add these lines at the end of Package.swift:\n\n\(manifestLines())"
      : """
      In Xcode, choose File › Add Package Dependencies…, and add the product BackupTesting to the
         target \(testTarget) only. If \(testTarget) does not show BackupTests.swift, add the file to it.
         For tests on a device, add Scenarios and Golden to \(testTarget) as folder references, and
         write 'Scenario.all(bundle: Bundle(for: AnyClassOfTheTests.self))'.
      """
    let runTests = xcodeProject == nil ? "run 'swift test'" : "run the tests"
    let lastStep = xcodeProject == nil ? exclusionStep : ""
    return """
      1. \(firstStep)
      2. In \(testPath), replace the line that contains #require with a call of the
         app's code that saves a file. In \(Self.appFilePath), give the class of this file.
      3. To see what is wrong, \(runTests). Fix the app.
      4. Repeat step 3. Without an error, the test writes Golden/first.golden, and warns once. Check this
         file. From now on, the test passes if a backup contains what this file lists.
      5. Add the lines for .gitignore and .gitattributes above. Commit all files.\(lastStep)
      """
  }

  /// True if the project has scenarios, and the manifest of a package names the kit's product.
  var hasBackupTests: Bool {
    get throws {
      try hasScenarios && (xcodeProject != nil || manifest().contains("\"BackupTesting\""))
    }
  }

  private func manifest() throws -> String {
    let bytes = try RegularFile.firstBytes(
      of: "manifest", at: "\(folder)/Package.swift", upTo: 1 << 20, followingLinks: true)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns Swift code for the end of the manifest. The code finds the targets by name, so all of
  /// it can be in one place.
  private func manifestLines() throws -> String {
    let kitFolder = Self.kitFolder
    let kitFolderName = kitFolder.lastPathComponent
    let hasDependency = try manifest().contains(Self.kitName)
    let project = URL(fileURLWithPath: folder).resolvingSymlinksInPath()
    let path = kitFolder.resolvingSymlinksInPath().path(from: project) ?? kitFolder.path
    let nameArgument = kitFolderName == Self.kitName ? "" : "name: \"\(Self.kitName)\", "
    let dependencyCode =
      hasDependency
      ? "" : "package.dependencies.append(.package(\(nameArgument)path: \(Self.quoted(path))))\n"
    let product = ".product(name: \"BackupTesting\", package: \"\(Self.kitName)\")"
    // Without this product, findings on Linux name no line of the app's code.
    let tapProduct = ".product(name: \"FileSystemTap\", package: \"\(Self.kitName)\")"
    let pathArgument =
      testFolder == "Tests/\(testTarget)" ? "" : ", path: \(Self.quoted(testFolder))"
    let targetCode =
      testFolderExists
      ? """
      for target in package.targets where target.name == "\(testTarget)" {
        target.dependencies.append(\(product))
      }
      """
      : """
      package.targets.append(
        .testTarget(name: "\(testTarget)", dependencies: ["\(appTarget)", \(product)]\(pathArgument)))
      """
    return """
      \(dependencyCode)package.platforms = package.platforms ?? [.macOS(.v13), .iOS(.v16)]
      \(targetCode)
      #if os(Linux)
        for target in package.targets where target.name == "\(appTarget)" {
          target.plugins =
            (target.plugins ?? []) + [.plugin(name: "LinuxShim", package: "\(Self.kitName)")]
        }
        for target in package.targets where target.name == "\(testTarget)" {
          target.dependencies.append(\(tapProduct))
        }
      #endif

      """
  }

  /// The step for a user who moves Scenarios and Golden into the folder of the test target. SwiftPM
  /// would then treat these folders as part of the target.
  private var exclusionStep: String {
    """

    6. If you move Scenarios and Golden into \(testFolder), add
       exclude: ["Scenarios", "Golden"]
       to its target in Package.swift. Otherwise SwiftPM warns of unhandled files at each build.
    """
  }

  private static let kitName = "swift-backup-testing"

  /// The checkout of the kit that the tool was built from.
  private static let kitFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

extension URL {
  /// Returns the relative path from a folder to this file. Returns nil if they have only the root
  /// in common.
  fileprivate func path(from folder: URL) -> String? {
    let (components, folderComponents) = (pathComponents, folder.pathComponents)
    let sharedCount = zip(components, folderComponents).prefix { $0 == $1 }.count
    guard sharedCount > 1 else { return nil }
    let parts =
      Array(repeating: "..", count: folderComponents.count - sharedCount)
      + components.dropFirst(sharedCount)
    return parts.joined(separator: "/")
  }
}
