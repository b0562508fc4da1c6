import AppContainer
import DeviceSimulation

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
    let known = SystemProfile.all.map(\.version.description)
    let shown = EscapedText.escape(String(text.prefix(40)))
    collector.error(
      "there is no profile of iOS '\(shown)'; known are \(known.joined(separator: ", "))",
      at: position)
    return nil
  }
}
