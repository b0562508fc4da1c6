import BackupDevice
import BackupJSON5

extension Scenario {
  /// A scenario file that says the same, under one system and backup kind, of a scenario that came
  /// from one and has been given other steps and promises.
  package func document(titled title: String, under variant: Variant) -> String {
    var file = LocatedValue.object([])
    file.set("title", .string(title))
    for key in ["app", "guidance", "budget", "storage", "start"] { file.set(key, source?[key]) }
    file.set("system", .string("\(variant.system)"))
    file.set("backups", .string(variant.backups.rawValue))
    file.set("files", files?.value)
    if !launch.isEmpty { file.set("launch", .array(launch.map(\.source))) }
    file.set("steps", .array(steps.map(\.source)))
    return file.document
  }
}

extension Scenario.App {
  /// What a scenario file says of it.
  var value: LocatedValue {
    var members = [
      ("bundleIdentifier", LocatedValue.string(bundleIdentifier)),
      ("version", .string(version)),
    ]
    if !groups.isEmpty { members.append(("groups", .array(groups.map(LocatedValue.string)))) }
    if !extensions.isEmpty {
      members.append(("extensions", .array(extensions.map(LocatedValue.string))))
    }
    return .object(members.map { (key: $0.0, value: $0.1) })
  }
}

extension FilePromises {
  /// What a scenario file says of them.
  var value: LocatedValue {
    .object(promises.map { (key: "\($0.pattern)", value: .string($0.dataClass.rawValue)) })
  }
}
