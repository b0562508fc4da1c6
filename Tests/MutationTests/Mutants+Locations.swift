import BackupDevice

@testable import BackupFileTree

extension Mutant {
  /// Wrong decisions on the places that a backup includes or leaves out.
  static let locations: [Mutant] =
    roots + locationsBackedUp + systemManagedBackedUp + [
      .profile("whole container is a root", near: ["names/folder-beside-documents"]) {
        $0.backup.roots.value = nil
      },
      .backup("location matched unanchored", near: ["names/"]) { decision, context in
        let places = context.profile.backup.locations.map(\.value)
        return decision.inside(places.map(\.name)) ?? decision
      },
      .backup("system-managed place matched unanchored", near: ["names/system-managed-elsewhere"]) {
        decision, context in
        let places = context.profile.backup.systemManaged.map(\.value)
        return decision.inside(places.map(\.name)) ?? decision
      },
      .backup("root matched unanchored", near: ["names/folder-beside-documents"]) { decision, _ in
        guard case .outsideRoots = decision.reason else { return decision }
        return decision.path.components.dropFirst().contains { $0.string == "Documents" }
          ? decision.included : decision
      },
      .backup("local backup holds Caches") { decision, context in
        guard context.kind != .iCloud, case .location = decision.reason else { return decision }
        return decision.included
      },
      .backup("encrypted backup holds marked items", near: ["marks/file"]) { decision, context in
        guard context.kind == .localEncrypted, decision.reason?.isByMark == true else {
          return decision
        }
        return decision.included
      },
      .backup("user's switch ignored", near: ["restore/backup-switched-off"]) { decision, _ in
        decision.reason == .switchedOff ? decision.included : decision
      },
      .backup("user's switch counts on a computer", near: ["restore/backup-switched-off"]) {
        decision, context in
        context.kind == .iCloud ? decision : decision.leftOut(.switchedOff)
      },
      .backup("mark named rather than the place", near: ["marks/system-directories"]) {
        decision, context in
        let mark = context.marks(on: decision.path)
        guard case .location(decision.path) = decision.reason, !mark.isEmpty else {
          return decision
        }
        return decision.leftOut(.ownMark(mark))
      },
      .backup("app bundle in the backup", near: ["backups/"]) { decision, _ in
        guard case .bundle = decision.reason else { return decision }
        return decision.included
      },
      .backup("app bundle is what lies outside the roots", near: ["backups/"]) { decision, _ in
        guard case .bundle(let bundle) = decision.reason else { return decision }
        return decision.leftOut(.outsideRoots(bundle))
      },
      .backup("app bundle recognised in any folder", near: ["names/"]) { decision, context in
        guard context.profile.bundleIsInContainer.value, decision.isIncluded,
          let bundle = (decision.path.ancestors + [decision.path]).first(where: {
            $0.name.string.hasSuffix(".app")
          })
        else { return decision }
        return decision.leftOut(.bundle(bundle))
      },
      .backup("app bundle recognised from iOS 8 on", near: ["names/folder-beside-documents"]) {
        decision, _ in
        guard case .outsideRoots(let top) = decision.reason, top.name.string.hasSuffix(".app")
        else { return decision }
        return decision.leftOut(.bundle(top))
      },
      .profile("bundle in the container of iOS 8", on: ["8"], near: ["eras/5-1-resource-value"]) {
        $0.bundleIsInContainer.value = true
      },
      .profile("no bundle in the container of iOS 7", on: ["7"], near: ["backups/"]) {
        $0.bundleIsInContainer.value = false
      },
    ]

  private static let roots = ["Documents", "Library", "GeoJSON"].map { root in
    Mutant.profile("\(root) is no root", near: ["backups/routes-in-geojson"]) {
      $0.backup.roots.value?.removeAll { $0 == .at(root) }
    }
  }

  /// A mutant for each place that no backup includes, which includes the place.
  private static let locationsBackedUp = ["Library/Caches", "tmp"].map { place in
    Mutant.profile("\(place) is backed up", near: ["backups/"]) {
      $0.backup.locations.removeAll { $0.value == .at(place) }
      if place == "tmp" { $0.backup.roots.value?.append(.at(place)) }
    }
  }

  /// A mutant for each place of the system, which treats the place as the app's.
  private static let systemManagedBackedUp = [
    "Library/SyncedPreferences", "Library/Saved Application State", "Library/SplashBoard",
    "SystemData", "StoreKit", "CloudKit", ".com.apple.mobile_container_manager.metadata.plist",
  ].map { place in
    Mutant.profile("\(place) is not the system's", near: ["names/system-managed", "names/outside"])
    {
      $0.backup.systemManaged.removeAll { $0.value == .at(place) }
    }
  }
}

extension ContainerPath {
  /// Creates a path from a valid text.
  static func at(_ text: String) -> ContainerPath { ContainerPath(unchecked: Array(text.utf8)) }
}

extension BackupSet.Decision {
  /// Returns the decision to leave the item out, if it is in a directory with one of these names,
  /// or is such a directory.
  fileprivate func inside(_ names: [ContainerPath.Component]) -> BackupSet.Decision? {
    guard isIncluded,
      let place = (path.ancestors + [path]).first(where: { names.contains($0.name) })
    else { return nil }
    return leftOut(.location(place))
  }
}
