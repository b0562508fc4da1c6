package import BackupDiagnostics

/// A list of the items in a container. An app writes the list on a device.
///
/// Developers add the kit's `ContainerProbe` to their app, and call `ContainerProbe.writeList()`.
/// The kit's *probe app* also writes a list after each system event. Each item that the
/// probe app creates answers a question about iOS, for example whether an update keeps the item.
///
/// A copy of a container often lacks extended attributes. The kit adds the attributes in the list
/// to the copy, or uses the list instead of a copy.
///
/// The first line has `# container-list 2`, the bundle identifier and the version of iOS, separated
/// by spaces. If the probe app wrote the list after a system event, `after=` and the event follow. Each other line stands for an item, and has six fields, separated by tabs:
///
/// 1. the path, escaped as in golden files
/// 2. `f` for a file, `d` for a directory, `l` for a link, `o` for something else, or `-` for an
///    item that could not be created
/// 3. the size in bytes
/// 4. the names of the extended attributes, separated by commas
/// 5. the inode number
/// 6. the target of a link, or the reason why the item could not be created; this field is optional
///
/// Any line may have further fields of the form `key=value`. Unknown keys and empty lines are
/// ignored.
package struct ContainerList: Sendable {
  package let bundleIdentifier: String
  package let system: String
  /// The system event after which the list was written; nil for the first list.
  package let precedingEvent: Occasion?
  /// The items, by their escaped paths.
  package let linesByPath: [String: Line]

  package enum Occasion: String, CaseIterable, Sendable {
    case restore, update, offload, transfer, purge
  }

  package struct Line: Sendable {
    /// The line's number, from 1.
    package let number: Int
    package let kindLetter: String
    package let size: Int64
    package let attributes: ItemAttributes
    /// The target of a link, or the reason why the item could not be created. Escaped, as in the
    /// list.
    package let targetOrReason: String
    /// The question about iOS for which the probe app has created the item.
    package fileprivate(set) var question: String?
    /// True if the probe app marked the item, even if the mark is gone now.
    package fileprivate(set) var wasMarked = false
    /// The permissions, the number of hard links, and the times of the last modification and of the
    /// creation, in seconds since 1970. Nil if the line lacks the field.
    package fileprivate(set) var permissions, linkCount, modificationTime, creationTime: Int64?
  }

  /// The path at which `ContainerProbe.writeList()` writes the list.
  package static let firstListPath = listPath(after: nil)
  /// All paths at which a list can be: ``firstListPath``, and the paths of the lists that the probe
  /// app writes after system events.
  package static let allPaths = [firstListPath] + Occasion.allCases.map(listPath)
  /// The path of this list in the container.
  package var path: ContainerPath { Self.listPath(after: precedingEvent) }

  private static func listPath(after occasion: Occasion?) -> ContainerPath {
    let name = occasion.map { "after-\($0)" } ?? "container"
    return ContainerPath(unchecked: Array("Documents/\(name).list".utf8))
  }

  /// The maximum size of a list in bytes.
  package static let maximumSize = 100_000_000

  package init(_ bytes: [UInt8]) throws(SyntaxError) {
    guard bytes.count <= Self.maximumSize else {
      throw SyntaxError(
        at: 1,
        "the list is larger than \(Self.maximumSize.formattedSize), the most that the kit reads; remove "
          + "lines of items that are not needed")
    }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    (bundleIdentifier, system, precedingEvent) = try Self.readHeading(lines.popFirst() ?? [])
    var (items, questions): ([String: Line], Set<String>) = ([:], [])
    for (index, line) in lines.enumerated() where !line.isEmpty && line != [0x0D] {
      let (path, parsedLine) = try Self.readLine(line, at: index + 2)
      guard items.updateValue(parsedLine, forKey: path) == nil else {
        throw SyntaxError(at: index + 2, "'\(path.escapedExcerpt)' is listed twice")
      }
      if let question = parsedLine.question, !questions.insert(question).inserted {
        throw SyntaxError(at: index + 2, "'\(question)' is asked twice; ask it of one item")
      }
    }
    self.linesByPath = items
  }

  private static func readHeading(
    _ line: ArraySlice<UInt8>
  ) throws(SyntaxError) -> (identifier: String, system: String, occasion: Occasion?) {
    let words = String(decoding: line.trimmed, as: UTF8.self).split(separator: " ").map(String.init)
    guard words.count > 2, words[0] == "#", words[1] == "container-list" else {
      throw SyntaxError(
        at: 1,
        "this is not a container list; expected '# container-list 2 <bundle id> <system>' "
          + "on the first line")
    }
    guard ["1", "2"].contains(words[2]) else {
      throw SyntaxError(
        at: 1, column: 18,
        "unknown format '\(words[2].escapedExcerpt)'; this version of the kit reads formats 1 and 2"
      )
    }
    guard words.count == 5 || words.count > 5 && words[2] == "2" else {
      throw SyntaxError(
        at: 1, "expected the app's bundle identifier and its system after 'container-list'")
    }
    let afterField = words.dropFirst(5).first { $0.hasPrefix("after=") }
    let occasion = afterField.flatMap { Occasion(rawValue: String($0.dropFirst(6))) }
    if let afterField, occasion == nil {
      throw SyntaxError(
        at: 1, column: words.prefix { $0 != afterField }.reduce(1) { $0 + $1.utf8.count + 1 },
        "unknown occasion '\(afterField.escapedExcerpt)'; expected one that the probe app writes, or none"
      )
    }
    return (words[3], words[4], occasion)
  }

  private static func readLine(
    _ line: ArraySlice<UInt8>, at number: Int
  ) throws(SyntaxError) -> (path: String, parsedLine: Line) {
    let fields = line.trimmed.split(
      separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    guard fields.count >= 5 else {
      throw SyntaxError(
        at: number,
        "the line has \(fields.count.counted("field")); expected 5 or more, separated by tabs: path, "
          + "kind, bytes, attributes, inode, link target, and 'key=value'")
    }
    let fieldTexts = fields.map { String(decoding: $0, as: UTF8.self) }
    func column(_ index: Int) -> Int { fields[index].startIndex - line.startIndex + 1 }
    guard !fieldTexts[0].isEmpty, fields[0].count <= maximumEscapedPathLength else {
      throw SyntaxError(
        at: number,
        "the path has \(fields[0].count) bytes; expected 1 to \(maximumEscapedPathLength)")
    }
    guard ["f", "d", "l", "o", "-"].contains(fieldTexts[1]) else {
      throw SyntaxError(
        at: number, column: column(1),
        "unknown kind '\(fieldTexts[1].escapedExcerpt)'; expected f, d, l, o or -")
    }
    for index in [2, 4] where UInt64(fieldTexts[index]) == nil {
      throw SyntaxError(
        at: number, column: column(index),
        "'\(fieldTexts[index].escapedExcerpt)' is not \(index == 2 ? "a number of bytes" : "an inode number")"
      )
    }
    let attributeNames = fieldTexts[3].split(separator: ",").map(String.init)
    var parsedLine = Line(
      number: number, kindLetter: fieldTexts[1], size: Int64(fieldTexts[2]) ?? .max,
      attributes: ItemAttributes { attributeNames.contains($0) },
      targetOrReason: fieldTexts.count > 5 ? fieldTexts[5] : "")
    for index in fieldTexts.indices.dropFirst(6) where !parsedLine.readField(fieldTexts[index]) {
      throw SyntaxError(
        at: number, column: column(index),
        "'\(fieldTexts[index].escapedExcerpt)' is malformed; expected 'key=value' as the probe app writes it"
      )
    }
    return (fieldTexts[0], parsedLine)
  }

  /// The maximum number of bytes in an escaped path. Each byte becomes at most four.
  private static let maximumEscapedPathLength = 4 * ContainerPath.longestPath

  /// A tree to which the attributes in a list were added, and the differences between the tree and
  /// the list.
  package struct MarkedTree {
    package let tree: FileTree
    /// The number of the tree's items that the list marks.
    package let markedItemCount: Int
    /// The sorted paths, escaped as in the list, of the list's items that the tree lacks. Leaves
    /// out the lists' own files (``ContainerList/allPaths``), and items that could not be created.
    package let missingPaths: [String]
    /// The paths of the missing items that the list marks.
    package let missingMarkedPaths: [String]
    /// The number of the tree's items that the list lacks.
    package let unlistedItemCount: Int
  }

  /// Adds the attributes in the list to the items of a tree. Returns the new tree, and the
  /// differences between the tree and the list.
  package func marking(_ tree: FileTree) -> MarkedTree {
    var (markedTree, markedCount, unlistedCount, presentPaths) = (tree, 0, 0, Set<String>())
    tree.forEachItem { path, item in
      let escapedPath = path.description
      guard let line = linesByPath[escapedPath] else {
        unlistedCount += 1
        return
      }
      presentPaths.insert(escapedPath)
      if !line.marks.isEmpty { markedCount += 1 }
      let attributes = item.attributes.union(line.attributes)
      if attributes != item.attributes { markedTree.modify(path) { $0.attributes = attributes } }
    }
    presentPaths.formUnion(Self.allPaths.map(\.description))
    let missingPaths = linesByPath.filter {
      $0.value.kindLetter != "-" && !presentPaths.contains($0.key)
    }
    .keys.sorted()
    return MarkedTree(
      tree: markedTree, markedItemCount: markedCount, missingPaths: missingPaths,
      missingMarkedPaths: missingPaths.filter { linesByPath[$0]?.marks.isEmpty == false },
      unlistedItemCount: unlistedCount
    )
  }

  /// Returns the container that the list describes.
  ///
  /// A list does not have the contents of files. So `a.db` counts as a database if the list also
  /// has `a.db-wal`, or another file that SQLite keeps beside `a.db`.
  package func tree() throws(SyntaxError) -> FileTree {
    var tree = FileTree()
    for (text, line) in linesByPath.sorted(by: { $0.value.number < $1.value.number })
    where line.kindLetter != "-" {
      guard let path = Self.path(text) else {
        throw SyntaxError(at: line.number, "'\(text.escapedExcerpt)' is not a path in a container")
      }
      guard let item = line.item else {
        throw SyntaxError(
          at: line.number,
          "'\(line.targetOrReason.escapedExcerpt)' has a wrong escape; write the list again with "
            + "ContainerProbe.writeList()")
      }
      if let parent = path.parent { tree.ensureDirectory(parent) }
      if item.isDirectory, let existing = tree[path], existing.isDirectory {
        tree.modify(path) { $0.attributes = item.attributes }
        continue
      }
      guard tree[path] == nil, path.ancestors.allSatisfy({ tree[$0]?.isDirectory == true }) else {
        throw SyntaxError(
          at: line.number,
          "'\(text.escapedExcerpt)' contradicts an earlier line, which lists the item, or a folder above it, "
            + "as another kind of item")
      }
      tree.insert(item, at: path)
    }
    tree.inferDatabasesFromSiblings()
    return tree
  }

  /// Returns the path from an escaped text. Returns nil if the text is not a valid path in the
  /// app's own container.
  private static func path(_ text: String) -> ContainerPath? {
    guard let bytes = EscapedText.unescape(text), let path = ContainerPath(ifValid: bytes),
      path.containerName == nil
    else { return nil }
    return path
  }
}

extension ArraySlice<UInt8> {
  /// A line without the carriage return that some editors add to its end.
  fileprivate var trimmed: ArraySlice<UInt8> { last == 0x0D ? dropLast() : self }
}

extension ContainerList.Line {
  private static let numericFields: [String: any WritableKeyPath<Self, Int64?> & Sendable] = [
    "mode": \.permissions, "links": \.linkCount, "modified": \.modificationTime,
    "created": \.creationTime,
  ]

  package var marks: ExclusionMark { attributes.marks }

  /// Reads a field of the form `key=value`. Returns false if it is malformed.
  fileprivate mutating func readField(_ field: String) -> Bool {
    guard let separatorIndex = field.firstIndex(of: "=") else { return false }
    let (key, value) = (String(field[..<separatorIndex]), field[separatorIndex...].dropFirst())
    if key == "marked" { wasMarked = value == "yes" }
    if key == "asks" {
      question = EscapedText.unescape(value).flatMap(String.init(validUTF8:))?.onOneLine.asMessage
    }
    guard let numericField = Self.numericFields[key] else {
      return key == "marked" ? wasMarked : key != "asks" || question?.isEmpty == false
    }
    self[keyPath: numericField] = Int64(value, radix: key == "mode" ? 8 : 10)
    return self[keyPath: numericField] != nil
  }

  /// The item that the line describes; nil if the target of a link has a wrong escape.
  fileprivate var item: FileTree.Item? {
    let kind: FileTree.Kind
    switch self.kindLetter {
    case "f": kind = .file(FileTree.FileInformation(size: size))
    case "d": kind = .directory(FileTree.Children())
    case "l":
      guard let target = EscapedText.unescape(targetOrReason) else { return nil }
      kind = .link(target: target)
    default: kind = .special
    }
    return FileTree.Item(kind, attributes: attributes)
  }
}

extension FileTree {
  /// Treats each file as a database if a file that SQLite keeps for a database is beside it:
  /// `a.db-wal` for `a.db`.
  fileprivate mutating func inferDatabasesFromSiblings() {
    var databasePaths: [ContainerPath] = []
    forEachItem { path, item in
      if item.size != nil, let name = path.name.databaseName {
        databasePaths.append(ContainerPath(name, in: path.parent))
      }
    }
    for path in databasePaths {
      modify(path) { $0.information?.isDatabase = true }
    }
  }
}
