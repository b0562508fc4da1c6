import BackupJSON5

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
