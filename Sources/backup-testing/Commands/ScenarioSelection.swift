import BackupScenarios
import Foundation

/// The scenarios that a command's operands and options name.
struct ScenarioSelection {
  /// Scenarios with one golden folder.
  struct Part {
    /// The scenarios.
    let scenarios: [Scenario]
    /// Their golden files.
    let goldens: GoldenStore
  }

  /// `--golden`.
  static let goldenOption = Option(
    "--golden", "FOLDER", "the golden files; default is Golden beside the scenario folder")
  /// `--filter`.
  static let filterOption = Option(
    "--filter", "GLOB", "only scenarios whose id matches, such as 'marks/**'")

  /// The folders, reduced to what is selected.
  private let folders: [ScenarioFolder]
  /// The golden folder that was named.
  private let golden: String?
  /// Whether whole folders are selected.
  let isComplete: Bool

  /// Finds the scenario files that arguments name.
  init(_ arguments: Arguments) throws(CommandError) {
    let names = arguments.operands.isEmpty ? ["Scenarios"] : arguments.operands
    let glob = arguments.value(of: "--filter")
    var folders: [ScenarioFolder] = []
    var isComplete = glob == nil
    do throws(RunError) {
      for name in names {
        let (folder, isWhole) = try Self.folder(named: name)
        isComplete = isComplete && isWhole
        folders.append(
          try glob.map { glob throws(RunError) in try folder.selecting(glob: glob) } ?? folder)
      }
    } catch {
      throw CommandError(error.description)
    }
    if folders.allSatisfy(\.files.isEmpty) {
      let filter = glob.map { " that '\($0)' matches" } ?? ""
      throw CommandError("there is no scenario\(filter) in \(names.joined(separator: ", "))")
    }
    self.folders = folders
    self.golden = arguments.value(of: "--golden")
    self.isComplete = isComplete
  }

  /// Reads the scenarios.
  func parts() throws(CommandError) -> [Part] {
    var parts: [Part] = []
    var mistakes: [Diagnostic] = []
    for folder in folders {
      do throws(ScenarioFileError) {
        parts.append(Part(scenarios: try folder.scenarios(), goldens: goldens(of: folder)))
      } catch {
        mistakes += error.diagnostics
      }
    }
    guard mistakes.isEmpty else {
      throw CommandError(ScenarioFileError(mistakes).description, isLocated: true)
    }
    return parts
  }

  /// The golden files that no scenario names; none unless whole folders are selected.
  var orphans: [String] {
    isComplete ? folders.flatMap { goldens(of: $0).orphans(besides: $0.files.map(\.id)) } : []
  }

  /// The golden files of a folder.
  private func goldens(of folder: ScenarioFolder) -> GoldenStore {
    golden.map(GoldenStore.init(folder:)) ?? GoldenStore(besideScenarios: folder.path)
  }

  /// The folder of a name, or the one that holds a named file, reduced to that.
  private static func folder(named name: String) throws(RunError) -> (ScenarioFolder, Bool) {
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory)
    guard exists, !isDirectory.boolValue else { return (try ScenarioFolder(path: name), true) }
    let root = scenarioRoot(of: name)
    if let folder = try ScenarioFolder(path: root).selecting(name) { return (folder, false) }
    throw RunError("\(name): this is no scenario file; expected one that ends in .json5")
  }

  /// The scenario folder that a file belongs to: the nearest one above named Scenarios, or its own.
  private static func scenarioRoot(of file: String) -> String {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let last = parts.lastIndex { $0 == "Scenarios" }
    let root = last.map { parts[...$0] } ?? parts
    return root.isEmpty ? "." : root.joined(separator: "/")
  }
}
