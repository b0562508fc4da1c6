/// The attributes of an item that copies and backups keep.
///
/// Trees, disks, lists and backups keep the attributes whole. Each property is a parameter of
/// ``init(marks:)`` without a default value, so that the compiler shows each place that decides
/// about an attribute.
package struct ItemAttributes: Hashable, Sendable {
  /// The exclusion marks on the item itself.
  package var marks: ExclusionMark

  package init(marks: ExclusionMark) {
    self.marks = marks
  }

  /// The attributes of a new item.
  package static let ofNewItem = ItemAttributes(marks: [])

  /// An extended attribute that stores an attribute on disk, in backups and in lists.
  package enum Stored: Sendable {
    case mark(ExclusionMark)

    package static let all: [Stored] = ExclusionMark.all.map(Stored.mark)

    /// The name on Apple platforms.
    package var name: String {
      switch self {
      case .mark(let mark): mark.attributeName
      }
    }
  }

  /// Creates the attributes of an item from the names of its extended attributes. Of a mark, only
  /// the presence counts (`observed`).
  package init<Failure: Error>(
    storedAs exists: (_ name: String) throws(Failure) -> Bool
  ) throws(Failure) {
    self = .ofNewItem
    for stored in Stored.all where try exists(stored.name) {
      switch stored {
      case .mark(let mark): marks.insert(mark)
      }
    }
  }

  /// The value of an extended attribute, or nil if an item with these attributes does not have it.
  package subscript(stored: Stored) -> [UInt8]? {
    switch stored {
    case .mark(let mark): marks.contains(mark) ? mark.attributeValue : nil
    }
  }

  /// Returns the attributes that the item has in this or in another snapshot.
  func union(_ other: ItemAttributes) -> ItemAttributes {
    ItemAttributes(marks: marks.union(other.marks))
  }

  /// Returns the changes that set the attributes on a new directory.
  func changes(to path: ContainerPath) -> [FileChange] {
    marks.isEmpty ? [] : [.mark(marks, on: path, isSet: true)]
  }

  /// The attributes in a message, after the item's kind.
  var words: String { marks.isEmpty ? "not marked" : "marked with the \(marks)" }
}
