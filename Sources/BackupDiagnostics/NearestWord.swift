/// Finds the word that a user meant to type.
package enum NearestWord {
  /// Returns the word in `words` with the nearest spelling. If no word is near, and `word` has at
  /// least four characters, returns the only word that begins with `word`. Returns nil if several
  /// words or no words begin with `word`, or if `word` is shorter.
  package static func to(_ word: String, in words: some Collection<String>) -> String? {
    let lowercasedWord = word.lowercased()
    let maximumDistance = word.count < 6 ? 1 : max(2, min(word.count, 24) / 3)
    // Skips long words, which cannot be near. A word in a file may have any length.
    let maximumCandidateSize = 8 * (min(word.utf8.count, maximumComparedLength) + maximumDistance)
    let nearestWord = words.filter { $0.utf8.count <= maximumCandidateSize }
      .map { ($0, distance(lowercasedWord, $0.lowercased())) }
      .filter { $0.1 <= maximumDistance }
      .min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    guard nearestWord == nil, word.count >= 4 else { return nearestWord }
    let completions = words.filter { $0.lowercased().hasPrefix(lowercasedWord) }
    return completions.count == 1 ? completions.first : nil
  }

  /// Returns advice on an unknown word: the nearest word, if any, and the expected words. Example:
  /// `did you mean 'save'? (expected one of read, save)`. The keys of `synonyms` are in lower case.
  package static func advice(
    for word: String, in words: [String], synonyms: [String: String] = [:]
  ) -> String {
    let listedWords = words.prefix(maximumListedCount).map { $0.cutInMiddle(to: 60) }.joined(
      separator: ", ")
    let remainderText =
      words.count > maximumListedCount ? " and \(words.count - maximumListedCount) more" : ""
    let expectation =
      words.count == 1
      ? "expected '\(listedWords)'" : "expected one of \(listedWords)\(remainderText)"
    let suggestion = synonyms[word.lowercased()] ?? to(word, in: words)
    guard let suggestion else { return expectation }
    let question = "did you mean '\(suggestion.cutInMiddle(to: 60))'?"
    return words.count == 1 ? question : "\(question) (\(expectation))"
  }

  /// The maximum number of Unicode scalars of a mistyped word that the search compares.
  private static let maximumComparedLength = 64
  private static let maximumListedCount = 60

  /// Returns the number of edits that turn one word into the other. An edit changes, inserts or
  /// removes a letter, or swaps two neighbors.
  private static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.unicodeScalars.prefix(maximumComparedLength))
    let right = Array(right.unicodeScalars)
    var rowBeforePrevious: [Int] = []
    var previousRow = Array(0...right.count)
    for row in left.indices {
      var currentRow = [row + 1]
      for column in right.indices {
        let editsWithChange = previousRow[column] + (left[row] == right[column] ? 0 : 1)
        var fewestEdits = min(editsWithChange, previousRow[column + 1] + 1, currentRow[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          fewestEdits = min(fewestEdits, rowBeforePrevious[column - 1] + 1)
        }
        currentRow.append(fewestEdits)
      }
      (rowBeforePrevious, previousRow) = (previousRow, currentRow)
    }
    return previousRow[right.count]
  }
}
