/// The attributes of an item. Copies and backups of the item keep them.
///
/// Trees, disks, container lists and backups store the whole value. If you add a property, also add
/// a parameter without a default value to ``init(marks:)``. The compiler then shows each place that
/// must set the property.
package struct ItemAttributes: Hashable, Sendable {
  /// The exclusion marks on the item itself.
  package var marks: ExclusionMark

  package init(marks: ExclusionMark) {
    self.marks = marks
  }

  /// The attributes of a new item.
  package static let ofNewItem = ItemAttributes(marks: [])

  /// An extended attribute that stores one of the attributes on disk, in backups and in container
  /// lists.
  package enum ExtendedAttribute: Sendable {
    case mark(ExclusionMark)

    package static let all: [ExtendedAttribute] = ExclusionMark.all.map(ExtendedAttribute.mark)

    /// The name on Apple platforms.
    package var name: String {
      switch self {
      case .mark(let mark): mark.attributeName
      }
    }
  }

  /// Creates the attributes of an item. `exists` returns true if the item has an extended attribute
  /// with the name. The values of extended attributes do not count, as on iOS (`observed`).
  package init<Failure: Error>(
    storedAs exists: (_ name: String) throws(Failure) -> Bool
  ) throws(Failure) {
    self = .ofNewItem
    for attribute in ExtendedAttribute.all where try exists(attribute.name) {
      switch attribute {
      case .mark(let mark): marks.insert(mark)
      }
    }
  }

  /// The value of an extended attribute of the item; nil if the item does not have it.
  package subscript(attribute: ExtendedAttribute) -> [UInt8]? {
    switch attribute {
    case .mark(let mark): marks.contains(mark) ? mark.attributeValue : nil
    }
  }

  /// Returns the attributes in this value or in another value, for example from a container's copy
  /// and from its ``ContainerList``.
  func union(_ other: ItemAttributes) -> ItemAttributes {
    ItemAttributes(marks: marks.union(other.marks))
  }

  /// Returns the changes that set the attributes on a new directory.
  func changes(forNewDirectory path: ContainerPath) -> [FileChange] {
    marks.isEmpty ? [] : [.setMark(marks, on: path, isSet: true)]
  }

  /// The attributes in words, for a message such as `a directory, not marked`.
  var words: String { marks.isEmpty ? "not marked" : "marked with the \(marks)" }
}
