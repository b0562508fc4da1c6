import BackupContainer
import BackupDiagnostics
import BackupFileTree
import Foundation

/// A file or folder that a scenario names beside its steps: in the folder that holds the scenario
/// folder, and never out of it.
enum CapturedPlace {
  /// Where it is, through no link.
  ///
  /// - Parameters:
  ///   - name: A path as ``Form/besideScenarios(_:)`` takes it.
  ///   - kind: What it has to be.
  ///   - scenario: The scenario that names it.
  /// - Returns: Its URL.
  /// - Throws: ``StepFailure`` where there is no such thing, or a link on the way to it.
  static func url(
    of name: String, _ kind: FileKind, for scenario: Scenario
  ) throws(StepFailure) -> URL {
    let base = scenario.surroundings
    var url = base
    for component in name.split(separator: "/") {
      url.appendPathComponent(String(component))
      switch FileKind(at: url.path, followingLinks: false) {
      case nil:
        throw StepFailure(
          "there is no '\(name.shown)' in \(base.path), which holds the scenario folder",
          canBeExpected: false)
      case .link:
        throw StepFailure(
          "'\(name.shown)' leads through the link \(url.path), and no link is followed to what a "
            + "scenario names; name what it leads to, or put a copy there", canBeExpected: false)
      default: continue
      }
    }
    guard FileKind(at: url.path, followingLinks: false) == kind else {
      throw StepFailure("\(url.path): expected \(kind.inWords)", canBeExpected: false)
    }
    return url
  }
}

extension Scenario {
  /// The folder that holds the scenario folder.
  var surroundings: URL {
    URL(fileURLWithPath: folder.isEmpty ? "." : folder).standardizedFileURL
      .deletingLastPathComponent()
  }
}

extension Form where Value == String {
  /// A path from the folder that holds the scenario folder, never out of it.
  static func besideScenarios(_ what: String) -> Form {
    let expected = "the path of \(what), from the folder that holds the scenario folder"
    let advice =
      "it begins at the folder that holds the scenario folder, and leads to what is in that, such as "
      + "'Fixtures/v1'"
    return Form<ContainerPath>.relativePath(expected, advice: advice).map { path, _ in path.string }
  }
}
