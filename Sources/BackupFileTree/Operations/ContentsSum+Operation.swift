extension ContentsSum {
  /// The sum of a whole file's contents.
  package init(_ contents: FileOperation.Contents) {
    self = .empty
    append(contents)
  }

  /// Notes that contents were written to the file's end.
  mutating func append(_ contents: FileOperation.Contents) {
    switch contents {
    case .bytes(let bytes): append(bytes)
    case .zeros(let count): appendZeros(count)
    }
  }
}
