import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

extension Scenario {
  /// Returns the text of a golden file for runs. Runs with the same outcome share a group of
  /// sections.
  func goldenText(of transcripts: [Transcript]) -> String {
    let outcomes = transcripts.map { (variant: $0.variant, text: $0.goldenSectionsText) }
    var text = GoldenDocument.header(id) + "\n"
    // Compare the bytes. As strings, two different names can be equal, such as `é` in two Unicode
    // forms.
    for group in outcomes.grouped(by: { Array($0.text.utf8) }) {
      let headings = VariantGroup(group.map(\.variant), of: self).headings
      text += headings.map { "\($0)\n" }.joined() + group[0].text
    }
    return text
  }

  /// Returns a golden file's lines about a run, and the number of the first of these lines, from 1.
  ///
  /// Returns nil if no line names the run.
  func goldenSection(of variant: Variant, in text: String) -> (body: [String], firstLine: Int)? {
    let document = GoldenDocument(parsing: text)
    let group = document.groupHeadings.firstIndex {
      VariantGroup(namedBy: $0, of: self).contains(variant)
    }
    guard let group else { return nil }
    let lines = document.lines.enumerated().filter {
      $0.element.groupIndex == group && !$0.element.text.isEmpty
    }
    let count = document.groupHeadings[group].count
    return (
      lines.dropFirst(count).map { String($0.element.text) }, lines[count - 1].offset + 2
    )
  }
}

extension Transcript {
  /// The lines about the run in a golden file: a section for each event of iOS.
  var goldenContents: [GoldenDocument.Content] {
    let containerNames = firstTree.containerNames
    return zip([nil] + entries, entries).filter(\.1.event.isBySystem).flatMap { previous, entry in
      GoldenSection(
        entry: entry, previousEntry: previous, options: goldenOptions,
        containerNames: Array(containerNames.dropFirst())
      ).contents
    }
  }

  /// The steps in which iOS acts, by the event of their section in golden files.
  var stepsByGoldenEvent: [GoldenDocument.Event: Scenario.StepReference] {
    var counter = GoldenDocument.EventCounter()
    return entries.reduce(into: [:]) { steps, entry in
      if entry.event.isBySystem { steps[counter.nextEvent(entry.step.summary)] = entry.step }
    }
  }

  var goldenLines: [String] { goldenContents.map(\.description) }

  /// The text of ``goldenContents``, with a line feed after each line.
  var goldenSectionsText: String {
    goldenContents.reduce(into: "") { text, line in
      line.write(to: &text)
      text += "\n"
    }
  }
}

/// The section of a golden file about one event of iOS.
private struct GoldenSection {
  let entry: Transcript.Entry
  /// The entry before ``entry``; nil at the start of the run.
  let previousEntry: Transcript.Entry?
  let options: GoldenOptions
  /// The names of the containers of groups and extensions. Each such container has a title.
  let containerNames: [ContainerPath.Component?]

  private var treeBefore: FileTree { previousEntry?.tree ?? FileTree() }

  /// The section's title and items.
  var contents: [GoldenDocument.Content] {
    let title = GoldenDocument.Title(entry.step.summary, amount: amount { _ in true })
    guard let itemLines else { return [.event(title)] }
    let items = Dictionary(grouping: itemLines, by: \.container).mapValues { items in
      ItemLine.merged(items.sorted { $0.nameBytes.precedesBytewise($1.nameBytes) })
    }
    return [.event(title)] + (items[nil] ?? [])
      + containerNames.flatMap { contents(of: $0, items[$0] ?? []) } + keychainItems
  }

  /// The keychain items, if the event can remove some of them.
  private var keychainItems: [GoldenDocument.Content] {
    switch entry.event.systemEvent {
    case .restore, .reinstall:
      let itemsBeforeAndAfter = (previousEntry?.keychain ?? [:]).merging(entry.keychain) { $1 }
      return itemsBeforeAndAfter.names.map { name in
        .item(
          GoldenDocument.Item(
            entry.keychain[name] == nil ? .gone : .there, EscapedText.escape(name),
            GoldenDocument.Item.Facts(note: .plain(.keychainItem))))
      }
    case .backup, .purge, .appUpdate, .systemUpdate, .place, .offload, .lock, nil: return []
    }
  }

  /// Returns the title and the items of the container of a group or an extension.
  private func contents(
    of containerName: ContainerPath.Component?, _ items: [GoldenDocument.Content]
  ) -> [GoldenDocument.Content] {
    guard let containerName else { return [] }
    let title = GoldenDocument.Title(
      container: containerName.containerIdentifier, isGroup: containerName.isGroup,
      amount: amount { $0.containerName == containerName })
    return [.container(title)] + items
  }

  /// Returns the sum of the files in a backup, or the bytes that a purge freed; nil for other
  /// events, and for a purge of items whose sizes are not compared.
  ///
  /// Counts only the items for which `isCounted` returns true.
  private func amount(_ isCounted: (ContainerPath) -> Bool) -> GoldenDocument.Amount? {
    if let backup = entry.event.backup {
      var sum = FileTotal()
      var comparesAllSizes = true
      backup.contents.decisions.forEachItem { directory, name, _, kind, verdict in
        guard case (.file(let size), .included) = (kind, verdict) else { return }
        let path = ContainerPath(name, in: directory)
        guard isCounted(path) else { return }
        sum.addFile(size)
        comparesAllSizes = comparesAllSizes && options.comparesSize(of: path)
      }
      return .files(sum.fileCount, bytes: comparesAllSizes ? sum.byteCount : nil)
    }
    guard let losses = entry.event.losses, losses.lossReason == .purged else { return nil }
    let purgedItems = losses.items.filter { isCounted($0.path) }
    let comparesAllSizes = purgedItems.allSatisfy {
      options.comparesSizes(in: treeBefore, at: $0.path)
    }
    return comparesAllSizes ? .freed(purgedItems.sumOfBytes) : nil
  }

  /// The items of the section, in any order; nil if the event is no backup and removes no items.
  private var itemLines: [ItemLine]? {
    if let contents = entry.event.backup?.contents {
      return contents.included.compactMap(includedItemLine)
        + contents.leftOutTops.map(leftOutItemLine)
    }
    guard let losses = entry.event.losses else { return nil }
    let keptItemLines = losses.lossReason == .purged ? [] : existingItemLines(of: entry.tree)
    return keptItemLines + losses.items.map { lostItemLine($0, losses.lossReason) }
  }

  private func itemLine(
    _ presence: GoldenDocument.Item.Presence, _ path: ContainerPath, isDirectory: Bool = false,
    _ amount: GoldenDocument.Amount? = nil, _ note: GoldenDocument.Note? = nil
  ) -> ItemLine {
    let nameBytes =
      options.pathBytes(of: path, isDirectory: isDirectory)
      + (isDirectory ? [ContainerPath.separator] : [])
    let facts = GoldenDocument.Item.Facts(amount: amount, note: note)
    return ItemLine(
      nameBytes: nameBytes, container: path.containerName,
      item: GoldenDocument.Item(presence, EscapedText.escape(nameBytes), facts))
  }

  private func includedItemLine(_ decision: BackupSet.Decision) -> ItemLine? {
    guard case .included(let mark) = decision.verdict else { return nil }
    let note: GoldenDocument.Note? = mark.isEmpty ? nil : .plain(.ignoredMark)
    switch decision.kind {
    case .file(let size):
      return itemLine(.included, decision.path, sizeAmount(size, at: decision.path), note)
    case .directory:
      return decision.path.isContainer && note == nil
        ? nil : itemLine(.included, decision.path, isDirectory: true, nil, note)
    case .link: return itemLine(.included, decision.path, nil, .plain(.link))
    case .other: return itemLine(.included, decision.path)
    }
  }

  private func sizeAmount(_ bytes: Int64, at path: ContainerPath) -> GoldenDocument.Amount? {
    options.comparesSize(of: path) ? .bytes(bytes) : nil
  }

  private func leftOutItemLine(_ decision: BackupSet.Decision) -> ItemLine {
    itemLine(
      .leftOut, decision.path, isDirectory: decision.isDirectory, nil,
      decision.reason.map { note($0) })
  }

  /// Returns a note with the reason why a backup leaves an item out.
  ///
  /// The note names other items as golden files name them, for example `{uuid}.mp4`.
  private func note(
    _ reason: BackupSet.LeftOutReason, after start: String = ""
  ) -> GoldenDocument.Note {
    .leftOut(
      ItemState(.leftOut(reason)),
      words: start + reason.description { options.escapedPath(of: $0) })
  }

  /// Returns the line of an item that iOS removed. After a purge, the line has the size; after
  /// other events, the reason.
  private func lostItemLine(
    _ lostItem: FileTree.LostItem, _ lossReason: Transcript.LossReason
  ) -> ItemLine {
    guard lossReason == .purged else {
      let reason = entry.event.systemEvent?.leftOutReason(for: lostItem.path)
        .map { note($0, after: GoldenDocument.Note.notBackedUpPrefix) }
      return itemLine(
        .gone, lostItem.path, isDirectory: lostItem.isDirectory, nil, reason ?? .lost(lossReason))
    }
    let bytes = options.comparesSizes(in: treeBefore, at: lostItem.path) ? lostItem.bytes : nil
    let amount: GoldenDocument.Amount? =
      lostItem.isDirectory ? .files(lostItem.fileCount, bytes: bytes) : bytes.map { .bytes($0) }
    return itemLine(.purged, lostItem.path, isDirectory: lostItem.isDirectory, amount)
  }

  private func existingItemLines(of tree: FileTree) -> [ItemLine] {
    var itemLines: [ItemLine] = []
    tree.forEachItem { path, treeItem in
      switch treeItem.kind {
      case .file(let information):
        itemLines.append(itemLine(.there, path, sizeAmount(information.size, at: path)))
      case .directory:
        if !path.isContainer { itemLines.append(itemLine(.there, path, isDirectory: true)) }
      case .link: itemLines.append(itemLine(.there, path, nil, .plain(.link)))
      case .special, .unreadable: break
      }
    }
    return itemLines
  }
}

/// The line of an item, with its sort key and its container.
private struct ItemLine {
  /// The sort key of the lines: the bytes of the item's path, with a `/` at the end of a
  /// directory's path.
  let nameBytes: [UInt8]
  /// The name of the container of a group or an extension; nil for an item in the app's container.
  let container: ContainerPath.Component?
  let item: GoldenDocument.Item

  /// Returns the lines of sorted items.
  ///
  /// Several items can have the same name, because a form such as `{uuid}` stands for the part of a
  /// name that varies. Items with the same name share a line if they differ only in their sizes.
  static func merged(_ sortedLines: [ItemLine]) -> [GoldenDocument.Content] {
    var items: [GoldenDocument.Item] = []
    var (currentNameBytes, firstIndex): ([UInt8], Int) = ([], 0)
    for itemLine in sortedLines {
      if itemLine.nameBytes != currentNameBytes {
        (currentNameBytes, firstIndex) = (itemLine.nameBytes, items.count)
      }
      let item = itemLine.item
      let match = items[firstIndex...].firstIndex {
        $0.presence == item.presence && $0.facts.withoutSizes == item.facts.withoutSizes
      }
      guard let match else {
        items.append(item)
        continue
      }
      items[match].facts.itemCount += 1
      items[match].facts.amount = items[match].facts.amount.flatMap { amount in
        item.facts.amount.map { amount + $0 }
      }
    }
    return items.map(GoldenDocument.Content.item)
  }
}
