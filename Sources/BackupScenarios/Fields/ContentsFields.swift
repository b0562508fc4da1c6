import BackupFileTree

/// The two keys of a step that writes a file: `size` and `contents`.
struct ContentsFields {
  let size: Field<Int64>
  let text: Field<String>

  /// Creates the keys of a step that writes data. The descriptions of the keys contain `purpose`,
  /// for example `to save`.
  init(_ purpose: String) {
    self.init(
      size: "The size of the data \(purpose). All bytes are 0.",
      text: "The text \(purpose), in UTF-8. {container} stands for the path of the app's container."
    )
  }

  init(size: String, text: String) {
    self.size = Field("size", .size, size)
    self.text = Field("contents", .string("text"), text)
  }

  var all: [any DeclaredField] { [size, text] }

  /// Reads the contents from a step, which must not have both keys. If `isRequired` is true, the
  /// step must have one of them.
  func read(_ object: ObjectReader, isRequired: Bool = true) -> FileOperation.Contents? {
    let sizeValue = object[size.key]
    if object[text.key] != nil {
      sizeValue?.report("'size' and 'contents' cannot both be given; keep one")
    } else if isRequired, sizeValue == nil {
      object.reader.report(
        "the size is missing; add 'size', such as \"10 KB\", or 'contents', a text")
    }
    if sizeValue != nil { return object[size].map(FileOperation.Contents.zeros) }
    return object[text].map(FileOperation.Contents.text)
  }
}
