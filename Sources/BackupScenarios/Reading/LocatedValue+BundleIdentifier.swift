import BackupJSON5

extension LocatedValue {
  /// A bundle identifier, or a noted mistake.
  func bundleIdentifier(_ collector: DiagnosticCollector) -> String? {
    guard let text = string(BundleIdentifier.expected, collector) else { return nil }
    guard let problem = BundleIdentifier.problem(with: text) else { return text }
    collector.error(problem, at: position)
    return nil
  }
}
