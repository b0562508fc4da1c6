extension Array {
  /// Calls an asynchronous function with one element after the other, and returns the results.
  package func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows
    -> [Result]
  {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
