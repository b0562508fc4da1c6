import BackupFileTree
import Foundation

extension FakeContainer {
  static func requireIdentifiers(
    groups: [String], extensions: [String]
  ) throws(FakeContainerError) {
    let mistakes =
      groups.compactMap { ContainerPath.Component.problem(withGroup: $0) }
      + extensions.compactMap { ContainerPath.Component.problem(withExtension: $0) }
    var known: Set<String> = []
    let repeated = (groups + extensions).first { !known.insert($0).inserted }
    let mistake = mistakes.first ?? repeated.map { "'\($0)' appears twice; keep one" }
    if let mistake {
      throw FakeContainerError(path: DeviceFolder.usualParent.path, reason: mistake)
    }
  }

  func failure(_ error: SystemError, whenTheyAre verb: String) -> FakeContainerError {
    let missing = ([url] + locations.groups.values).first {
      !FileManager.default.fileExists(atPath: $0.path)
    }
    if let missing, error.isMissingItem {
      return FakeContainerError(
        path: missing.path,
        reason:
          "the container is gone: code of the app or the test removed or moved it. Remove or "
          + "move only items in the container")
    }
    guard error.number == Scanner.strangeName.number else {
      return FakeContainerError(
        path: url.path, reason: "the container cannot be \(verb): \(error)")
    }
    return FakeContainerError(
      path: url.path,
      reason:
        "the app's code created an item directly in its container, with a name that the kit "
        + "reserves for the containers of groups and extensions (an identifier and a colon); "
        + "create it in Documents or Library, since iOS refuses items directly in the container")
  }
}
