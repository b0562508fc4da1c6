package import BackupDevice
package import BackupDiagnostics
package import BackupFileTree
import BackupRules
package import BackupScenarios
import Foundation

extension Scenario {
  /// The golden file of a backup that a device has taken: that of a scenario which starts from the
  /// device's container, and has one step, the backup.
  package static func golden(
    id: String, app: String, containers: [ContainerPath.Component],
    _ decisions: [BackupSet.Decision], of tree: FileTree, on profile: SystemProfile
  ) throws(RunError) -> String {
    var members: [String: Any] = ["bundleIdentifier": app]
    for (key, areGroups) in [("groups", true), ("extensions", false)] {
      let found = containers.filter { $0.isGroup == areGroups }.map(\.containerIdentifier)
      if !found.isEmpty { members[key] = found }
    }
    let source: [String: Any] = [
      "title": "A backup that a device took", "app": members,
      "system": profile.version.description,
      "backups": [SystemProfile.BackupKind.local.rawValue], "steps": [["backup": "device"]],
    ]
    let bytes = (try? JSONSerialization.data(withJSONObject: source)) ?? Data()
    let scenario = try ScenarioReader.read(
      Array(bytes), id: id, file: "\(id).json5", rules: RuleList.names)
    let transcript = Transcript(
      backup: "device", BackupSet(decisions: decisions), of: tree, in: scenario, on: profile)
    return scenario.goldenText(of: [transcript])
  }
}
