import BackupFileTree

/// What backups hold of one container, with the places as the paths of a tree that has several.
struct BackupRules {
  /// The topmost items that backups begin at; nil for all.
  private let roots: [ContainerPath]?
  /// The places left out, with the reason each gives.
  let places: [ContainerPath: BackupSet.LeftOutReason]
  /// How many components the deepest of those places has.
  let deepestPlace: Int
  /// How files are called that unfinished saves leave behind.
  let remnants: [SystemProfile.RemnantPattern]
  /// Whether what SQLite keeps beside a database is stored with that.
  let storesDatabasesWhole: Bool
  /// How many bytes a path has more on a device than in the tree; fewer where it names the
  /// container.
  let containerPathLength: Int
  /// The shortest path on a device that is skipped, in bytes.
  let skippedPathLength: Int
  /// Whether a `.app` at the top is the app's bundle.
  private let bundleIsInContainer: Bool

  /// The rules of a policy for a container; `bundleIsInContainer` if a `.app` at the top is the
  /// app's bundle.
  init(
    policy: SystemProfile.BackupPolicy, of name: ContainerPath.Component? = nil,
    bundleIsInContainer: Bool = false
  ) {
    var places: [ContainerPath: BackupSet.LeftOutReason] = [:]
    for location in policy.locations.map({ ContainerPath($0.value, inContainer: name) }) {
      places[location] = .location(location)
    }
    for place in policy.systemManaged.map({ ContainerPath($0.value, inContainer: name) }) {
      places[place] = .systemManaged(place)
    }
    self.roots = policy.roots.value?.map { ContainerPath($0, inContainer: name) }
    self.places = places
    self.deepestPlace = places.keys.map(\.components.count).max() ?? 0
    self.remnants = policy.remnants.value
    self.storesDatabasesWhole = policy.storesDatabasesWhole.value
    self.containerPathLength = policy.containerPathLength.value - (name.map { $0.count + 1 } ?? 0)
    self.skippedPathLength = policy.skippedPathLength.value
    self.bundleIsInContainer = bundleIsInContainer
  }

  /// Why an item at the container's top is outside of what backups hold, or nil.
  func reasonAtTop(_ path: ContainerPath) -> BackupSet.LeftOutReason? {
    guard places[path] == nil else { return nil }
    if bundleIsInContainer, path.name.hasSuffix(".app") { return .bundle(path) }
    guard let roots, !roots.contains(path) else { return nil }
    return .outsideRoots(path)
  }
}
