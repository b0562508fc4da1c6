import BackupFileTree
import BackupScenarios

extension LineDifference {
  /// The scenario file's entry that leaves names and sizes that seem to vary between runs out of
  /// the golden file, in place of the entry that the scenario has; nil if none seem to vary. What
  /// differs between two runs of the same code does vary, whatever it looks like.
  func varyingEntry(
    extending options: GoldenOptions, withSizes: Bool, isSameCode: Bool
  ) -> String? {
    var entry = VaryingEntry(options, isSameCode: isSameCode)
    let lines = changedLines
    entry.compare(
      lines.lazy.filter { $0.actualNumber == nil }.compactMap(ListedItem.init),
      lines.lazy.filter { $0.goldenNumber == nil }.compactMap(ListedItem.init))
    return entry.text(withSizes: withSizes)
  }
}

/// The entry of a scenario file for the names and sizes that vary in two golden texts.
private struct VaryingEntry {
  private static let mostCompared = 50

  /// The patterns of names with their forms, and whether one is not in the scenario yet.
  private var names: [(pattern: String, form: String)]
  private var hasNewNames = false
  private let options: GoldenOptions
  private let isSameCode: Bool
  /// The bytes of the items that a pattern matches, in either text.
  private var bytes: [(pattern: String, golden: Int, actual: Int)] = []

  /// An entry that goes on from the scenario's.
  init(_ options: GoldenOptions, isSameCode: Bool) {
    self.options = options
    self.isSameCode = isSameCode
    names = options.names.map { ("\($0.pattern)", $0.form.text) }
  }

  /// Finds which items are the same under other names or with other sizes.
  mutating func compare(_ golden: some Sequence<ListedItem>, _ actual: some Sequence<ListedItem>) {
    var golden = Array(golden.prefix(Self.mostCompared))
    var actual = Array(actual.prefix(Self.mostCompared))
    // Items that keep their names first, so that no other is taken for one of them.
    actual.removeAll { item in
      let index = golden.firstIndex {
        $0.place == item.place && $0.path == item.path && $0.notes == item.notes
      }
      guard let index else { return false }
      note(golden.remove(at: index), item, as: item.path.map(\.pattern).joined(separator: "/"))
      return true
    }
    for item in actual {
      for (index, other) in golden.enumerated() where other.place == item.place {
        guard let (forms, pattern) = forms(of: other, and: item) else { continue }
        for (pattern, form) in forms { add(pattern, form) }
        note(other, item, as: pattern)
        // A line with a form stands for several items.
        if !other.hasForm { golden.remove(at: index) }
        break
      }
    }
  }

  /// The entry; nil if there is nothing new in it.
  func text(withSizes: Bool) -> String? {
    let sizes = withSizes ? bytes.filter { $0.golden != $0.actual }.map(\.pattern) : []
    guard hasNewNames || !sizes.isEmpty else { return nil }
    var keys: [String] = []
    if !names.isEmpty {
      let list = names.map { "\(Self.quoted($0.pattern)): \(Self.quoted($0.form))" }
      keys.append("names: { \(list.joined(separator: ", ")) }")
    }
    let all = options.patternsWithoutSizes + sizes
    if !all.isEmpty { keys.append("sizes: [\(all.map(Self.quoted).joined(separator: ", "))]") }
    return "golden: { \(keys.joined(separator: ", ")) }"
  }

  /// The forms of the names in which two paths differ, each with the pattern of its paths, and a
  /// pattern of both paths; nil if they differ in more than such names.
  private func forms(
    of other: ListedItem, and item: ListedItem
  ) -> (forms: [(pattern: String, form: String)], pattern: String)? {
    guard other.path.count == item.path.count, other.path != item.path else { return nil }
    var forms: [(pattern: String, form: String)] = []
    var pattern = ""
    for (name, new) in zip(other.path, item.path) {
      if !pattern.isEmpty { pattern += "/" }
      guard name != new else {
        pattern += name.pattern
        continue
      }
      let path = try? ContainerPath(pattern + new)
      let known = options.names.first { entry in
        entry.form.text == name && path.map(entry.pattern.matches) == true
      }
      let isLoose = isSameCode || known != nil
      let loose = isLoose ? NameForm.looseForm(of: name, and: new) : nil
      guard let form = NameForm.form(of: name, and: new) ?? loose else { return nil }
      forms.append((known.map { "\($0.pattern)" } ?? pattern + form.pattern, form))
      pattern += form.pattern
    }
    let isEscaped = pattern.contains("\\") || forms.contains { $0.form.contains("\\") }
    return isEscaped ? nil : (forms, pattern)
  }

  /// Adds a form, or makes that of the same pattern one that fits both.
  private mutating func add(_ pattern: String, _ form: String) {
    guard let index = names.firstIndex(where: { $0.pattern == pattern }) else {
      names.append((pattern, form))
      hasNewNames = true
      return
    }
    let known = names[index].form
    guard let both = NameForm.form(of: known, and: form) ?? NameForm.looseForm(of: known, and: form)
    else { return }
    names[index].form = both
    hasNewNames = hasNewNames || both != known
  }

  private mutating func note(_ golden: ListedItem, _ actual: ListedItem, as pattern: String) {
    guard let before = golden.bytes, let after = actual.bytes, !pattern.contains("\\") else {
      return
    }
    let pattern = pattern + (actual.isDirectory ? "/**" : "")
    if let index = bytes.firstIndex(where: { $0.pattern == pattern }) {
      bytes[index].golden += before
      bytes[index].actual += after
    } else {
      bytes.append((pattern, before, after))
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}

/// A line on an item.
package struct ListedItem {
  /// The section and the step that it is in.
  package let place: [String?]
  package let path: [String]
  package let isDirectory: Bool
  /// Its size; nil if the line has none.
  package let bytes: Int?
  package let notes: [Substring]

  /// Takes a line apart; nil if it is on no item.
  package init?(_ line: LineDifference.Line) {
    guard line.text.hasPrefix("+ ") || line.text.hasPrefix("- ") else { return nil }
    let parts = line.text.dropFirst(2).split(separator: "  ", omittingEmptySubsequences: false)
    let size = parts.dropFirst().first?.wholeMatch(
      of: /(?<files>\d+ files?, )?(?<bytes>\d+)(?: bytes?)?/)
    place = line.section + [line.step]
    path = parts[0].split(separator: "/").map(String.init)
    isDirectory = parts[0].last == "/"
    bytes = size.flatMap { Int($0.bytes) }
    notes = [line.text.prefix(1), size?.files ?? ""] + parts.dropFirst(size == nil ? 1 : 2)
  }

  /// Whether a name in it is a form.
  var hasForm: Bool { path.contains { $0 != $0.pattern } }
}

extension String {
  /// What matches the names of a form.
  fileprivate var pattern: String { replacing(/(?:\{[a-z]+\})+/, with: "*") }
}
