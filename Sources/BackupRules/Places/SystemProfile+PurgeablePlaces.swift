import BackupDevice
import BackupFileTree

extension SystemProfile {
  /// The directories of a container, the app's own for nil, that the worst purge takes.
  func purgeablePlaces(in name: ContainerPath.Component?) -> [ContainerPath] {
    purgePolicy(for: ContainerKind(name)).criticalStorage.value.map {
      ContainerPath($0, inContainer: name)
    }
  }
}
