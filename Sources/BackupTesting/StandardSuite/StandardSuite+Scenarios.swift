import BackupScenarios
import BackupVerdicts
import Foundation

extension StandardSuite {
  /// Where the scenarios are, which every process of tests has: Xcode puts a bundle's resources
  /// deeper than SwiftPM does.
  ///
  /// - Returns: The folder's path.
  /// - Throws: ``RunError`` if the bundle has no such folder.
  static func folder() throws(RunError) -> String {
    guard let url = Bundle.module.url(forResource: "StandardSuite", withExtension: nil) else {
      throw RunError(
        .unreadable,
        "\(Bundle.module.bundlePath): the standard suite's scenarios are missing from this "
          + "bundle; add the package's resources to it")
    }
    return url.path
  }

  /// The ids of all of them; none if they are not there.
  static var ids: Set<String> {
    Set((try? ScenarioFolder(path: folder()))?.files.map(\.id) ?? [])
  }
}
