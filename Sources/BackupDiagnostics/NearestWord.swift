/// A search for the word that the user meant by a mistyped one.
package enum NearestWord {
  /// Returns the word of `words` that is nearest in spelling, or else the only one that begins with
  /// `word`. Returns nil if there is neither.
  package static func to(_ word: String, in words: some Collection<String>) -> String? {
    let lowercased = word.lowercased()
    let limit = word.count < 6 ? 1 : max(2, min(word.count, 24) / 3)
    // A word in a file may have any length. Only one that is short enough can be near.
    let longest = 8 * (min(word.utf8.count, considered) + limit)
    let nearest = words.filter { $0.utf8.count <= longest }
      .map { ($0, distance(lowercased, $0.lowercased())) }
      .filter { $0.1 <= limit }
      .min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    guard nearest == nil, word.count >= 4 else { return nearest }
    let completions = words.filter { $0.lowercased().hasPrefix(lowercased) }
    return completions.count == 1 ? completions.first : nil
  }

  /// Returns the list of expected words, after the nearest one if there is one:
  /// `did you mean 'save'? (expected one of read, save)`. The keys of `synonyms` are in lower case.
  package static func advice(
    for word: String, in words: [String], synonyms: [String: String] = [:]
  ) -> String {
    let listed = words.prefix(mostListed).map { $0.cutInMiddle(to: 60) }.joined(separator: ", ")
    let more = words.count > mostListed ? " and \(words.count - mostListed) more" : ""
    let list = words.count == 1 ? "expected '\(listed)'" : "expected one of \(listed)\(more)"
    let meant = synonyms[word.lowercased()] ?? to(word, in: words)
    guard let meant else { return list }
    let question = "did you mean '\(meant.cutInMiddle(to: 60))'?"
    return words.count == 1 ? question : "\(question) (\(list))"
  }

  /// The number of characters of a mistyped word that are compared.
  private static let considered = 64
  private static let mostListed = 60

  /// Returns the edit distance: the letters changed, inserted, removed or swapped with the next.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.unicodeScalars.prefix(considered)), Array(right.unicodeScalars))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let changed = last[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(changed, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
