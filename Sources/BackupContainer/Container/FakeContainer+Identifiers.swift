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
    let mistake = mistakes.first ?? repeated.map { "'\($0)' is named twice; keep one" }
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
        reason: "the container is not there any more: the app's code or the test's has removed or "
          + "moved it, where it may only do so with what is in it")
    }
    guard error.number == Scanner.strangeName.number else {
      return FakeContainerError(
        path: url.path, reason: "the container cannot be \(verb): \(error)")
    }
    return FakeContainerError(
      path: url.path,
      reason: "the app's code has made an item at its container's top whose name is an identifier "
        + "and a colon, as the kit calls the containers of groups and extensions; on iOS an app "
        + "can make none there: give it a name in Documents or Library")
  }
}
