import BackupContainer
import BackupFileTree
import Testing

/// Warnings that this Mac's Foundation treats marks in another way than Foundation on iOS does.
enum FoundationWarning {
  /// Checks how this machine's Foundation treats marks, and warns of each difference from iOS.
  ///
  /// Only the first call in a test process has an effect. Call this method before code of an app
  /// runs.
  static func record(at sourceLocation: SourceLocation) {
    guard FoundationMarks.usesAppleFoundation else { return }
    guard !TestProcess.current.hasCheckedFoundation.exchange(for: true) else { return }
    for peculiarity in FoundationTrial().peculiarities() {
      TestIssue.record(text(on: peculiarity), isFailure: false, at: sourceLocation)
    }
  }

  static func text(on peculiarity: FoundationTrial.Peculiarity) -> String {
    switch peculiarity {
    case .saysUnmarkedIsExcluded(let folder):
      "in \(folder.escapedExcerpt), where the containers are, 'isExcludedFromBackup' is true of items without a "
        + "mark, probably because Time Machine leaves out this folder. The kit reads the marks "
        + "themselves, but app code that checks for a mark before it sets one sets none here. Set "
        + "TMPDIR to a folder that Time Machine backs up"
    case .leavesPresentMark:
      "this Mac's Foundation does not set a mark again on an item that has one. In code that runs with "
        + "'probesMarks: false', the kit cannot tell whether the app set such a mark again"
    }
  }
}
