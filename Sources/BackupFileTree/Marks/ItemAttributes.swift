/// The attributes of an item that copies and backups keep.
///
/// Whoever carries an item carries them whole. Each property is a parameter of ``init(marks:)`` without
/// a default value, so that the compiler names each place that decides what becomes of an attribute.
package struct ItemAttributes: Hashable, Sendable {
  /// The exclusion marks on the item itself.
  package var marks: ExclusionMark

  package init(marks: ExclusionMark) {
    self.marks = marks
  }

  /// Those of an item that was just made.
  package static let ofNewItem = ItemAttributes(marks: [])

  /// One of the extended attributes that hold them on disk, in backups and in lists.
  package enum Stored: Sendable {
    case mark(ExclusionMark)

    package static let all: [Stored] = ExclusionMark.all.map(Stored.mark)

    /// The name that Apple platforms use.
    package var name: String {
      switch self {
      case .mark(let mark): mark.attributeName
      }
    }
  }

  /// Those of an item that has the extended attributes with these names; of a mark only the presence
  /// counts (`observed`).
  package init<Failure: Error>(
    storedAs isThere: (_ name: String) throws(Failure) -> Bool
  ) throws(Failure) {
    self = .ofNewItem
    for stored in Stored.all where try isThere(stored.name) {
      switch stored {
      case .mark(let mark): marks.insert(mark)
      }
    }
  }

  /// The value of an extended attribute of an item with these; nil if it has none.
  package subscript(stored: Stored) -> [UInt8]? {
    switch stored {
    case .mark(let mark): marks.contains(mark) ? mark.attributeValue : nil
    }
  }

  /// These and those of another look at the same item.
  func adding(_ others: ItemAttributes) -> ItemAttributes {
    ItemAttributes(marks: marks.union(others.marks))
  }

  /// The changes by which a directory that was just made gets them.
  func changes(to path: ContainerPath) -> [FileChange] {
    marks.isEmpty ? [] : [.mark(marks, on: path, isSet: true)]
  }

  /// The words of messages, after the item's kind.
  var words: String { marks.isEmpty ? "not marked" : "marked with the \(marks)" }
}
