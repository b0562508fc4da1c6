package import BackupDevice
package import BackupFileTree
import BackupRules
package import BackupScenarios
import Foundation

/// The golden file of a backup that a device has taken: that of a scenario which starts from the
/// device's container, and has one step, the backup.
package struct CapturedGolden {
  private let scenario: Scenario
  /// What it would record, had it done what the device did.
  private let transcript: Transcript

  /// What of a scenario file depends on the device.
  private struct Source: Encodable {
    struct App: Encodable {
      let bundleIdentifier: String
      /// The identifiers of its groups; nil for none.
      let groups: [String]?
      /// The identifiers of its extensions; nil for none.
      let extensions: [String]?
    }

    let title = "A backup that a device has taken"
    let app: App
    let system: String
    let backups = [SystemProfile.BackupKind.local.rawValue]
    let steps = [["backup": "device"]]
  }

  /// The golden file of a backup.
  ///
  /// - Parameters:
  ///   - id: The scenario's id.
  ///   - app: The app's bundle identifier.
  ///   - containers: The containers of its groups and extensions.
  ///   - decisions: What is in the backup, and what is out, with the reason.
  ///   - tree: The containers.
  ///   - profile: The system that took it.
  /// - Throws: ``ScenarioFileError`` where an identifier cannot stand in a scenario.
  package init(
    id: String, app: String, containers: [ContainerPath.Component],
    _ decisions: [BackupSet.Decision], of tree: FileTree, on profile: SystemProfile
  ) throws(ScenarioFileError) {
    func identifiers(areGroups: Bool) -> [String]? {
      let found = containers.filter { $0.isGroup == areGroups }.map(\.containerIdentifier)
      return found.isEmpty ? nil : found
    }
    let source = Source(
      app: Source.App(
        bundleIdentifier: app, groups: identifiers(areGroups: true),
        extensions: identifiers(areGroups: false)),
      system: profile.version.description)
    let bytes = (try? JSONEncoder().encode(source)) ?? Data()
    scenario = try ScenarioReader.read(
      Array(bytes), id: id, file: "\(id).json5", rules: RuleList.names)
    transcript = Transcript(
      backup: "device", BackupSet(decisions: decisions), of: tree, in: scenario, on: profile)
  }

  /// The text of the golden file.
  package var text: String { GoldenText.render(scenario, [transcript]) }
}
