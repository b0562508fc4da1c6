import BackupFileTree
import Foundation

extension FakeContainer {
  /// Notes what was made at the paths of containers that were removed, and removes it.
  ///
  /// Code in the process of the test that keeps a path in a static saves in the container of the
  /// test that came first, which is gone; so nothing that it saves is looked at. The containers
  /// that this one was before are another matter: what is made there is seen by
  /// ``endWatching(_:)``.
  func noteStrays() {
    let (folders, isOneOccupied) = neighbours.removedDevices()
    for folder in folders where access(folder.path, F_OK) == 0 {
      // A folder that is signed is another process's, which has hit upon the name.
      guard let device = try? DeviceFolder(at: folder), device.signature == nil,
        let path = Self.firstStray(in: device)
      else { continue }
      strays.withLock { $0.append(Self.complaint(onStray: path, isOneOccupied)) }
      DeviceFolder.remove(device)
    }
  }

  /// What is wrong with a path that an error of this container's code names, and what to do; nil
  /// for a path that is in no other test's container.
  package func complaint(onForeignPath path: String) -> String? {
    // By their names alone: on a Mac the same folder is below /var and /private/var.
    guard let other = DeviceFolder.above(path),
      other.split(separator: "/").last != device.path.split(separator: "/").last
    else { return nil }
    return
      "this path belongs to another test's container, so the app stored it for longer than a "
      + "test, for example in a static variable. Ask for the container's directories each "
      + "time, or run the app in its own process"
  }

  /// What was made in the folder of a removed device, by its path in the container.
  private static func firstStray(in device: DeviceFolder) -> String? {
    guard let names = try? device.itself.names() else { return nil }
    var paths: [String] = []
    for name in names.map({ String(decoding: $0, as: UTF8.self) })
    where UUID(uuidString: name) != nil {
      try? Scanner.scan(ContainerRoots(device.path(name))).walk { path, item in
        if item.children.isEmpty { paths.append(path.string) }
        return true
      }
    }
    return paths.min()
  }

  /// What is wrong with an item that was made where a container was, and what to do; `isCertain` if
  /// this container's code made it.
  private static func complaint(onStray path: String, _ isCertain: Bool) -> String {
    let doubt = isCertain ? "" : ", by this code or by a test that ran at the same time"
    return
      "'\(path)' was created in the container of a test that has ended\(doubt), so no rule sees "
      + "it. The app stored a path for longer than a test, for example in a static variable. "
      + "Ask for the container's directories each time, or run the app in its own process"
  }
}
