import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

extension Scenario {
  /// What the system did in runs, as the text of a golden file; runs with the same outcome share a
  /// group of sections.
  func goldenText(of transcripts: [Transcript]) -> String {
    let outcomes = transcripts.map { (variant: $0.variant, text: $0.goldenSections) }
    var text = GoldenDocument.header(id) + "\n"
    // By bytes: two strings may be equal and yet two file names.
    for alike in outcomes.grouped(by: { Array($0.text.utf8) }) {
      let headings = VariantGroup(alike.map(\.variant), of: self).headings
      text += headings.map { "\($0)\n" }.joined() + alike[0].text
    }
    return text
  }

  /// The lines of a golden file that are about a run, with the number of the first, from 1; nil if
  /// no line names the run.
  func goldenSection(of variant: Variant, in text: String) -> (body: [String], firstLine: Int)? {
    let document = GoldenDocument(parsing: text)
    let group = document.runs.firstIndex {
      VariantGroup(namedBy: $0, of: self).contains(variant)
    }
    guard let group else { return nil }
    let lines = document.lines.enumerated().filter {
      $0.element.group == group && !$0.element.text.isEmpty
    }
    let count = document.runs[group].count
    return (
      lines.dropFirst(count).map { String($0.element.text) }, lines[count - 1].offset + 2
    )
  }
}

extension Transcript {
  /// What the golden file says of the run: a section for each thing the system did.
  var goldenContents: [GoldenDocument.Content] {
    let names = firstTree.containerNames
    return zip([nil] + entries, entries).filter(\.1.event.isBySystem).flatMap { before, entry in
      GoldenSection(
        entry: entry, former: before, options: golden, containers: Array(names.dropFirst())
      ).contents
    }
  }

  /// The steps in which iOS acts, by the names that golden files have for them.
  var goldenEvents: [GoldenDocument.Event: Scenario.StepReference] {
    var counter = GoldenDocument.EventCounter()
    return entries.reduce(into: [:]) { steps, entry in
      if entry.event.isBySystem { steps[counter.next(entry.step.summary)] = entry.step }
    }
  }

  var goldenLines: [String] { goldenContents.map(\.description) }

  /// The same as one text, each line with its end.
  var goldenSections: String {
    goldenContents.reduce(into: "") { text, line in
      line.write(to: &text)
      text += "\n"
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

  /// Its title and items; those of each container beside the app's below a title of its own.
  var contents: [GoldenDocument.Content] {
    let title = GoldenDocument.Title(entry.step.summary, amount: amount { _ in true })
    guard let placedItems else { return [.event(title)] }
    let items = Dictionary(grouping: placedItems, by: \.container).mapValues { items in
      PlacedItem.merged(items.sorted { $0.bytes.precedesBytewise($1.bytes) })
    }
    return [.event(title)] + (items[nil] ?? [])
      + containers.flatMap { contents(of: $0, items[$0] ?? []) } + keychainItems
  }

  /// What has become of the keychain items, if something could.
  private var keychainItems: [GoldenDocument.Content] {
    switch entry.event.system {
    case .restore, .reinstall:
      let all = (former?.keychain ?? [:]).merging(entry.keychain) { $1 }
      return all.names.map { name in
        .item(
          GoldenDocument.Item(
            entry.keychain[name] == nil ? .gone : .there, EscapedText.escape(name),
            GoldenDocument.Item.Facts(note: .plain(.keychainItem))))
      }
    case .backup, .purge, .appUpdate, .systemUpdate, .place, .offload, .lock, nil: return []
    }
  }

  /// The items of a container beside the app's.
  private func contents(
    of name: ContainerPath.Component?, _ items: [GoldenDocument.Content]
  ) -> [GoldenDocument.Content] {
    guard let name else { return [] }
    let title = GoldenDocument.Title(
      container: name.containerIdentifier, isGroup: name.isGroup,
      amount: amount { $0.containerName == name })
    return [.container(title)] + items
  }

  /// How much a backup holds, or a purge took, of the items that are counted.
  private func amount(_ isCounted: (ContainerPath) -> Bool) -> GoldenDocument.Amount? {
    if let backup = entry.event.backup {
      var sum = FileSum()
      var isKnown = true
      backup.contents.decisions.forEachItem { directory, name, _, kind, verdict in
        guard case (.file(let size), .included) = (kind, verdict) else { return }
        let path = ContainerPath(name, in: directory)
        guard isCounted(path) else { return }
        sum.add(size)
        isKnown = isKnown && options.comparesSize(of: path)
      }
      return .files(sum.files, bytes: isKnown ? sum.bytes : nil)
    }
    guard let losses = entry.event.losses, losses.fate == .purged else { return nil }
    let taken = losses.items.filter { isCounted($0.path) }
    let isKnown = taken.allSatisfy { options.comparesSizes(in: before, at: $0.path) }
    return isKnown ? .freed(taken.sumOfBytes) : nil
  }

  /// The items, in any order; nil where the system does nothing with items.
  private var placedItems: [PlacedItem]? {
    if let contents = entry.event.backup?.contents {
      return contents.included.compactMap(included) + contents.leftOutTops.map(leftOut)
    }
    guard let losses = entry.event.losses else { return nil }
    let kept = losses.fate == .purged ? [] : items(of: entry.tree)
    return kept + losses.items.map { lost($0, losses.fate) }
  }

  /// An item of any kind, by its path.
  private func item(
    _ presence: GoldenDocument.Item.Presence, _ path: ContainerPath, isDirectory: Bool = false,
    _ amount: GoldenDocument.Amount? = nil, _ note: GoldenDocument.Note? = nil
  ) -> PlacedItem {
    let bytes =
      options.bytes(of: path, isDirectory: isDirectory)
      + (isDirectory ? [ContainerPath.separator] : [])
    let facts = GoldenDocument.Item.Facts(amount: amount, note: note)
    return PlacedItem(
      bytes: bytes, container: path.containerName,
      item: GoldenDocument.Item(presence, EscapedText.escape(bytes), facts))
  }

  private func included(_ decision: BackupSet.Decision) -> PlacedItem? {
    guard case .included(let mark) = decision.verdict else { return nil }
    let note: GoldenDocument.Note? = mark.isEmpty ? nil : .plain(.ignoredMark)
    switch decision.kind {
    case .file(let size):
      return item(.included, decision.path, self.size(size, at: decision.path), note)
    case .directory:
      return decision.path.isContainer && note == nil
        ? nil : item(.included, decision.path, isDirectory: true, nil, note)
    case .link: return item(.included, decision.path, nil, .plain(.link))
    case .other: return item(.included, decision.path)
    }
  }

  private func size(_ bytes: Int64, at path: ContainerPath) -> GoldenDocument.Amount? {
    options.comparesSize(of: path) ? .bytes(bytes) : nil
  }

  private func leftOut(_ decision: BackupSet.Decision) -> PlacedItem {
    item(
      .leftOut, decision.path, isDirectory: decision.isDirectory, nil,
      decision.reason.map { note($0) })
  }

  /// Why a backup leaves an item out, in words that name other items as the golden file does.
  private func note(
    _ reason: BackupSet.LeftOutReason, after start: String = ""
  ) -> GoldenDocument.Note {
    .leftOut(
      ItemState(.leftOut(reason)),
      words: start + reason.description { options.name(of: $0) })
  }

  /// An item that the system took: with how much that was if it is purged, else with the reason.
  private func lost(_ lost: FileTree.LostItem, _ fate: Transcript.Fate) -> PlacedItem {
    guard fate == .purged else {
      let reason = entry.event.system?.reason(for: lost.path)
        .map { note($0, after: GoldenDocument.Note.notBackedUp) }
      return item(.gone, lost.path, isDirectory: lost.isDirectory, nil, reason ?? .lost(fate))
    }
    let bytes = options.comparesSizes(in: before, at: lost.path) ? lost.bytes : nil
    let amount: GoldenDocument.Amount? =
      lost.isDirectory ? .files(lost.fileCount, bytes: bytes) : bytes.map { .bytes($0) }
    return item(.purged, lost.path, isDirectory: lost.isDirectory, amount)
  }

  private func items(of tree: FileTree) -> [PlacedItem] {
    var items: [PlacedItem] = []
    tree.forEachItem { path, found in
      switch found.kind {
      case .file(let information):
        items.append(item(.there, path, size(information.size, at: path)))
      case .directory:
        if !path.isContainer { items.append(item(.there, path, isDirectory: true)) }
      case .link: items.append(item(.there, path, nil, .plain(.link)))
      case .special, .unreadable: break
      }
    }
    return items
  }
}

/// An item with its place among the lines of a golden file.
private struct PlacedItem {
  /// What lines are sorted by: the bytes of the item's path, with the `/` of a directory.
  let bytes: [UInt8]
  /// The container beside the app's that the item is in; nil for the app's own.
  let container: ContainerPath.Component?
  let item: GoldenDocument.Item

  /// The lines of sorted items; those that differ in their sizes only are one, since their names
  /// vary.
  static func merged(_ sorted: [PlacedItem]) -> [GoldenDocument.Content] {
    var items: [GoldenDocument.Item] = []
    var (bytes, start): ([UInt8], Int) = ([], 0)
    for placed in sorted {
      if placed.bytes != bytes { (bytes, start) = (placed.bytes, items.count) }
      let item = placed.item
      let same = items[start...].firstIndex {
        $0.presence == item.presence && $0.facts.withoutSizes == item.facts.withoutSizes
      }
      guard let same else {
        items.append(item)
        continue
      }
      items[same].facts.count += 1
      items[same].facts.amount = items[same].facts.amount.flatMap { amount in
        item.facts.amount.map { amount + $0 }
      }
    }
    return items.map(GoldenDocument.Content.item)
  }
}
