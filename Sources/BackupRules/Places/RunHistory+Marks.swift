import BackupDevice
import BackupFileTree
import BackupScenarios

extension RunHistory {
  /// Whether a mark can be what an item lacks, by the app's promise of it.
  ///
  /// - Parameters:
  ///   - path: The item.
  ///   - tree: The container.
  ///   - profile: The system.
  /// - Returns: For a directory with files whether it can be of any of them that is not kept out by
  ///   a mark of its own, or of a directory between.
  func canBeHelpedByMark(
    _ path: ContainerPath, in tree: FileTree, on profile: SystemProfile
  ) -> Bool {
    guard let item = tree[path], item.isDirectory else { return isHelpedByMark(path, on: profile) }
    var (isEmpty, isHelped) = (true, false)
    item.walk(at: path) { found, item in
      guard found == path || item.marks.isDisjoint(with: profile.honouredMarks.value) else {
        isEmpty = false
        return false
      }
      if !item.isDirectory, !remnants.contains(found) {
        isEmpty = false
        isHelped = isHelped || isHelpedByMark(found, on: profile)
      }
      return !isHelped
    }
    return isEmpty || isHelped
  }

  /// Whether a mark can be what a file lacks; of one that was promised nothing it can.
  private func isHelpedByMark(_ path: ContainerPath, on profile: SystemProfile) -> Bool {
    promisedClass(of: path)?.isHelpedByMark(at: path, on: profile) ?? true
  }
}
