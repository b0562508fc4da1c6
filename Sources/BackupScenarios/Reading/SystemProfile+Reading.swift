import BackupDevice
import BackupDiagnostics
import BackupJSON5

extension LocatedValue {
  /// The profile of the version that the value names, or a noted mistake.
  func systemProfile(_ collector: DiagnosticCollector) -> SystemProfile? {
    let text: String
    switch kind {
    case .string(let string): text = string
    case .number(let number): text = number.text
    default:
      collector.error("expected a version of iOS, such as \"18\", found \(kindName)", at: position)
      return nil
    }
    if let profile = SystemProfile(version: text) { return profile }
    collector.error(SystemProfile.objection(to: text), at: position)
    return nil
  }
}

extension SystemProfile {
  /// What to say of a text that names no known version: the versions there are, and the one whose
  /// behaviour is meant where that is clear, as 18 for `iOS 18.2`.
  package static func objection(to text: String) -> String {
    let known = all.map(\.version.description)
    let parts = text.drop { !$0.isASCII || !$0.isNumber }.split(separator: ".").prefix(3)
    let shorter = (1...3).reversed().map { parts.prefix($0).joined(separator: ".") }
    let meant = shorter.first(where: known.contains)
    let advice = meant.map { "did you mean '\($0)'? Known" } ?? "known"
    return "there is no profile of iOS '\(text.shown)'; \(advice) are "
      + known.joined(separator: ", ")
  }
}
