import BackupScenarios
import Testing

extension CallSite {
  /// The place of a call.
  init(_ location: SourceLocation) {
    self.init(
      fileID: location.fileID, file: location.filePath, line: location.line,
      column: location.column)
  }
}

extension SourceLocation {
  /// The place of a call; nil for no place in particular.
  init?(_ site: CallSite) {
    guard site != .unknown else { return nil }
    self.init(fileID: site.fileID, filePath: site.file, line: site.line, column: site.column)
  }
}
