import BackupCollections
import BackupDevice
package import BackupDiagnostics
import BackupFileTree
package import BackupScenarios
import Foundation

extension Scenario {
  /// What the system did in runs, as the text of a golden file; runs with the same outcome share a
  /// section.
  func goldenText(of transcripts: [Transcript]) -> String {
    let outcomes = transcripts.map { ($0.variant, $0.goldenLines) }
    let text =
      [goldenHeader] + VariantGroup.sections(of: outcomes, in: self, calling: newestSystem)
    return text.joined(separator: "\n") + "\n"
  }

  /// The first line of its golden file: the format's number and the scenario.
  var goldenHeader: String { Self.goldenHeader(id) }

  private static func goldenHeader(_ id: String) -> String {
    "\(goldenKeyword)\(goldenFormat): \(EscapedText.escape(id))"
  }

  /// The text of a golden file as the scenario's would begin; its id is for people, so that a file
  /// renamed with its scenario stays right. A later format and an unfinished merge are errors.
  package static func goldenFile(
    _ text: String, of id: String, at path: String
  ) throws(RunError) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    // What version control begins a line with that it could not merge.
    let markers = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
    let conflict = lines.map(Substring.init).firstIndex { line in
      markers.contains { line == $0 || line.hasPrefix("\($0) ") }
    }
    if let line = conflict {
      throw RunError(
        .notGolden,
        "\(path):\(line + 1): the golden file has merge conflict markers; choose one side and "
          + "remove them, or record it again")
    }
    let first = lines.first.map(String.init) ?? ""
    guard let found = formatNumber(in: first, after: goldenKeyword) else {
      throw RunError(
        .notGolden,
        "\(path):1: the golden file must begin with '\(goldenKeyword)\(goldenFormat): ' and the "
          + "scenario's id; record it again")
    }
    guard found <= goldenFormat else {
      throw RunError(
        .laterFormat,
        "\(path):1: the golden file has format \(found), which a later version of the kit wrote; "
          + "this version reads only format \(goldenFormat). Use the later version, or record it "
          + "again")
    }
    return goldenHeader(id) + text.dropFirst(first.count)
  }

  /// The number in a file's first line, `KEYWORD1: id`; nil for any other line.
  package static func formatNumber(in line: String, after keyword: String) -> Int? {
    guard line.hasPrefix(keyword), line.contains(":") else { return nil }
    let digits = line.dropFirst(keyword.count).prefix { $0 != ":" }
    return Int(digits).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The number of the golden files' format, the first that there is.
  package static let goldenFormat = 1
  /// What a golden file begins with, before the number.
  package static let goldenKeyword = "# golden "

  /// The section of a golden file that lines name a run by, with the number of its first line, from
  /// 1; nil if none names it.
  func goldenSection(of variant: Variant, in text: String) -> (body: [String], firstLine: Int)? {
    var sections: [(headers: [String], body: [String], firstLine: Int)] = []
    var wasHeader = false
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.map(String.init).enumerated() where !line.isEmpty {
      let isHeader = line.hasPrefix(VariantGroup.keyword)
      if isHeader, !wasHeader { sections.append(([], [], 0)) }
      if let last = sections.indices.last {
        if isHeader {
          sections[last].headers.append(line)
          sections[last].firstLine = index + 2
        } else {
          sections[last].body.append(line)
        }
      }
      wasHeader = isHeader
    }
    return sections.first { VariantGroup(namedBy: $0.headers, of: self).contains(variant) }
      .map { ($0.body, $0.firstLine) }
  }
}

extension Transcript {
  /// What the golden file says of the run: a section for each thing the system did.
  var goldenLines: [String] {
    let names = firstTree.containerNames
    return zip([nil] + entries, entries).filter(\.1.event.isBySystem).flatMap { before, entry in
      GoldenSection(
        entry: entry, former: before, options: golden, containers: Array(names.dropFirst())
      ).lines
    }
  }
}

/// What a golden file says of one thing that the system did.
private struct GoldenSection {
  let entry: Transcript.Entry
  /// The entry before it; nil at the start of the run.
  let former: Transcript.Entry?
  let options: GoldenOptions
  /// The names of the containers beside the app's; each has lines of its own.
  let containers: [ContainerPath.Component?]

  private var before: FileTree { former?.tree ?? FileTree() }

  /// Its lines, the title first; those of each container beside the app's below a title of its own.
  var lines: [String] {
    let items = Dictionary(grouping: self.items, by: \.container).mapValues { items in
      GoldenItem.merged(
        items.sorted { $0.sortKey.precedesBytewise($1.sortKey) }
      ).map(\.line)
    }
    let title = "\(entry.step) \(entry.step.summary)\(amount { _ in true })"
    return [title] + (items[nil] ?? []) + containers.flatMap { lines(of: $0, items[$0] ?? []) }
      + keychainLines
  }

  /// What has become of the keychain items, if something could.
  private var keychainLines: [String] {
    switch entry.event {
    case .restore, .reinstall:
      let all = (former?.keychain ?? [:]).merging(entry.keychain) { $1 }
      return all.names.map { name in
        let fate = entry.keychain[name] == nil ? "lost" : "kept"
        return "keychain \(EscapedText.escape(name))  \(fate)"
      }
    default: return []
    }
  }

  /// The lines of a container beside the app's; none where the system does nothing with items.
  private func lines(of name: ContainerPath.Component?, _ items: [String]) -> [String] {
    guard let name else { return [] }
    if case .systemUpdate = entry.event { return [] }
    let kind = name.isGroup ? "a group" : "an extension"
    let amount = amount { $0.containerName == name }
    return ["container \(name.containerIdentifier), of \(kind)\(amount)"] + items
  }

  /// How much a backup holds, or a purge took, of the items that are counted, as a title's end.
  private func amount(_ isCounted: (ContainerPath) -> Bool) -> String {
    switch entry.event {
    case .backup(let backup):
      var sum = FileSum()
      var isKnown = true
      backup.contents.decisions.forEachItem { directory, name, _, kind, verdict in
        guard case (.file(let size), .included) = (kind, verdict) else { return }
        let path = ContainerPath(name, in: directory)
        guard isCounted(path) else { return }
        sum.add(size)
        isKnown = isKnown && options.comparesSize(of: path)
      }
      let bytes = isKnown ? ", \(Int(sum.bytes).counted("byte"))" : ""
      return ": \(sum.files.counted("file"))\(bytes)"
    case .purge(_, let taken):
      let taken = taken.filter { isCounted($0.path) }
      guard taken.allSatisfy({ options.comparesSizes(in: before, at: $0.path) }) else { return "" }
      return ": \(Int(taken.sumOfBytes).counted("byte")) taken"
    default: return ""
    }
  }

  private var items: [GoldenItem] {
    switch entry.event {
    case .backup(let backup):
      backup.contents.included.compactMap(included) + backup.contents.leftOutTops.map(leftOut)
    case .purge(_, let items): items.map(taken)
    case .appUpdate(_, let gone):
      items(of: entry.tree) + gone.map { lost($0, "not carried over") }
    case .offload(let gone):
      items(of: entry.tree) + gone.map { lost($0, "not kept") }
    case .reinstall(let gone):
      items(of: entry.tree) + gone.map { lost($0, "deleted with the app") }
    case .restore(let backup, let missing):
      items(of: entry.tree)
        + missing.map { lost($0, reason(backup.contents.decision(on: $0.path)) ?? "not restored") }
    default: []
    }
  }

  private func included(_ decision: BackupSet.Decision) -> GoldenItem? {
    guard case .included(let mark) = decision.verdict else { return nil }
    let note = mark.isEmpty ? nil : "marked, but backed up"
    let name = options.bytes(of: decision.path)
    switch decision.kind {
    case .file(let size):
      let bytes = options.comparesSize(of: decision.path) ? size : nil
      return GoldenItem("+", name, bytes: bytes, note: note)
    case .directory(let isEmpty):
      let isListed = isEmpty && !decision.path.isContainer || note != nil
      return isListed ? GoldenItem("+", name, isDirectory: true, note: note) : nil
    case .link: return GoldenItem("+", name, note: "link")
    case .other: return GoldenItem("+", name)
    }
  }

  private func leftOut(_ decision: BackupSet.Decision) -> GoldenItem {
    GoldenItem(
      "-", options.bytes(of: decision.path), isDirectory: decision.isDirectory,
      note: reason(decision))
  }

  /// Why a backup leaves an item out, in words that name other items as the golden file does.
  private func reason(_ decision: BackupSet.Decision?) -> String? {
    decision?.reason?.description(naming: options.name)
  }

  /// An item that a purge took: bytes, and files for a directory.
  private func taken(_ item: FileTree.LostItem) -> GoldenItem {
    let bytes = options.comparesSizes(in: before, at: item.path) ? item.bytes : nil
    return GoldenItem(
      "-", options.bytes(of: item.path), isDirectory: item.isDirectory,
      files: item.isDirectory ? item.fileCount : nil, bytes: bytes)
  }

  private func lost(_ item: FileTree.LostItem, _ note: String) -> GoldenItem {
    GoldenItem("-", options.bytes(of: item.path), isDirectory: item.isDirectory, note: note)
  }

  private func items(of tree: FileTree) -> [GoldenItem] {
    var items: [GoldenItem] = []
    tree.forEachItem { path, item in
      let name = options.bytes(of: path)
      switch item.kind {
      case .file(let information):
        let bytes = options.comparesSize(of: path) ? information.size : nil
        items.append(GoldenItem("+", name, bytes: bytes))
      case .directory(let children):
        if children.isEmpty, !path.isContainer {
          items.append(GoldenItem("+", name, isDirectory: true))
        }
      case .link:
        items.append(GoldenItem("+", name, note: "link"))
      case .special, .unreadable:
        break
      }
    }
    return items
  }
}

private struct GoldenItem: Hashable {
  /// `+` for an item that is there, `-` for one that is not.
  private let sign: String
  /// What lines are sorted by: the bytes of the item's path, with the `/` of a directory.
  let sortKey: [UInt8]
  /// How many files go with a directory; nil for none.
  private var files: Int?
  /// The size, in bytes; nil where it is not said.
  private var bytes: Int64?
  private let note: String?
  /// How many items have the line, whose sizes are summed.
  private var count = 1

  init(
    _ sign: String, _ path: [UInt8], isDirectory: Bool = false, files: Int? = nil,
    bytes: Int64? = nil, note: String? = nil
  ) {
    self.sign = sign
    self.sortKey = path + (isDirectory ? [ContainerPath.separator] : [])
    self.files = files
    self.bytes = bytes
    self.note = note
  }

  /// The container beside the app's that the item is in; nil for the app's own.
  var container: ContainerPath.Component? { ContainerPath(unchecked: sortKey).containerName }

  /// The whole line, without its end.
  var line: String {
    var line = "\(sign) \(EscapedText.escape(sortKey))"
    switch (files, bytes) {
    case (let files?, let bytes?):
      line += "  \(files.counted("file")), \(Int(bytes).counted("byte"))"
    case (let files?, nil): line += "  \(files.counted("file"))"
    case (nil, let bytes?): line += "  \(bytes)"
    case (nil, nil): break
    }
    if let note { line += "  \(note)" }
    if count > 1 { line += "  ×\(count)" }
    return line
  }

  /// The lines, which are sorted, with those as one that differ in their sizes only: items of names
  /// that vary.
  static func merged(_ items: [GoldenItem]) -> [GoldenItem] {
    // Names rarely vary, and hashing each line takes longer than comparing it with the next.
    guard zip(items, items.dropFirst()).contains(where: { $0.sortKey == $1.sortKey }) else {
      return items
    }
    return items.grouped(by: \.withoutSizes).compactMap { same in
      guard var merged = same.first else { return nil }
      for item in same.dropFirst() {
        merged.count += 1
        merged.files = merged.files.flatMap { files in item.files.map { files + $0 } }
        merged.bytes = merged.bytes.flatMap { bytes in
          item.bytes.map { bytes.addingReportingOverflow($0).overflow ? .max : bytes + $0 }
        }
      }
      return merged
    }
  }

  /// What lines that become one have in common.
  private var withoutSizes: GoldenItem {
    var item = self
    item.files = files.map { _ in 0 }
    item.bytes = bytes.map { _ in 0 }
    return item
  }
}
