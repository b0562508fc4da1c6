import BackupDiagnostics
public import BackupScenarios
import Foundation

extension BackupReader {
  /// A reader of backups that the Finder or iTunes wrote. The backups must not be encrypted.
  public static let finder = BackupReader(named: "Finder") {
    folder, app, containers throws(RunError) in
    do throws(BackupFolderError) {
      let (tree, files) = try BackupFolder(at: folder.path)
        .restorableContents(containers.map { BackupDomain($0, of: app) }, app: app)
      return Contents(tree: tree, files: files)
    } catch {
      throw RunError(.unreadable, error.description)
    }
  }
}
