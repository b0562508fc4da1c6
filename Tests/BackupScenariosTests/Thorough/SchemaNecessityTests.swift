import TestSupport
import Testing

@testable import BackupJSON5

/// The hand-written cases notice when anything is missing from the schema.
@Suite struct SchemaNecessityTests {
  private static let annotations: Set<String> = [
    "$schema", "$defs", "title", "description", "examples", "default",
  ]

  private static let cases =
    SchemaCase.ofKeys + SchemaCase.ofAppSteps + SchemaCase.ofFailures + SchemaCase.ofFullStorage
    + SchemaCase.ofStepSystems + SchemaCase.ofAppVersions + SchemaCase.ofExtensions
    + SchemaCase.ofSystemSteps + SchemaCase.ofAssertions
    + SchemaCase.ofLaunch + SchemaCase.ofExpectations + SchemaCase.ofPaths + SchemaCase.ofSizes
    + SchemaCase.ofVersions

  /// What may be missing unnoticed, by where it stands.
  private static let exceptions: [(place: String, reason: String)] = [
    ("#/properties/{steps}/maxItems", "ten thousand steps are a test of their own"),
    ("#/properties/{launch}/maxItems", "ten thousand steps are a test of their own"),
    ("#/$defs/{system}/anyOf[0]", "the pattern beside it accepts the same; editors offer these"),
    ("#/$defs/{system}/anyOf/enum[", "the pattern beside it accepts the same"),
    ("#/$defs/{saveStep}/type", "what is no object has both of the keys in 'oneOf'"),
    ("#/$defs/{appendStep}/type", "what is no object has both of the keys in 'oneOf'"),
    ("#/$defs/{placeStep}/type", "what is no object has both of the keys in 'oneOf'"),
    (
      "#/$defs/{expectFileStep}/properties/{expectFile}/type",
      "what is no object has all of the keys in 'oneOf'"
    ),
    (
      "#/$defs/{readStep}/properties/{ifMissing}/enum", "'anyOf' says the same; editors offer these"
    ),
  ]

  @Test func `there are some hundred cases of both sorts`() {
    #expect(Self.cases.count { $0.isAccepted } > 200)
    #expect(Self.cases.count { !$0.isAccepted } > 400)
  }

  @Test func `without any one demand or word the schema fails a case`() throws {
    let document = try LocatedValue(json5: Repository.schemaText())
    var cases = try Self.cases.map {
      (value: try LocatedValue(json5: $0.text), isAccepted: $0.isAccepted)
    }
    for weakened in Thoroughness.every(
      18, of: document.weakened(at: "#", without: Self.annotations)
    ) {
      guard let schema = try? JSONSchema(weakened.schema) else { continue }
      let noticing = cases.firstIndex { schema.accepts($0.value) != $0.isAccepted }
      // What notices one thing often notices the next.
      if let noticing { cases.insert(cases.remove(at: noticing), at: 0) }
      let isException = Self.exceptions.contains { weakened.place.hasPrefix($0.place) }
      #expect(noticing != nil || isException, "nothing notices that \(weakened.place) is missing")
    }
  }
}

extension LocatedValue {
  /// The schemas that lack one demand, or one word of an `enum`, with where it stood.
  fileprivate func weakened(
    at place: String, without ignored: Set<String>
  ) -> [(place: String, schema: LocatedValue)] {
    guard case .object(let members) = kind else { return [] }
    return members.flatMap { member -> [(place: String, schema: LocatedValue)] in
      var found: [(place: String, schema: LocatedValue)] = []
      if !ignored.contains(member.key) {
        found.append(("\(place)/\(member.key)", replacing(member.key, by: nil)))
      }
      let inner = member.value.weakenedInside(member.key, at: place, without: ignored)
      return found + inner.map { ($0.place, replacing(member.key, by: $0.schema)) }
    }
  }

  /// This value of a keyword with one thing in it missing.
  private func weakenedInside(
    _ keyword: String, at place: String, without ignored: Set<String>
  ) -> [(place: String, schema: LocatedValue)] {
    switch (keyword, kind) {
    case ("properties", .object(let members)), ("$defs", .object(let members)):
      return members.flatMap { member in
        member.value.weakened(at: "\(place)/\(keyword)/{\(member.key)}", without: ignored)
          .map { ($0.place, replacing(member.key, by: $0.schema)) }
          + [("\(place)/\(keyword)/{\(member.key)}", replacing(member.key, by: nil))]
      }
    case ("anyOf", .array(let list)), ("oneOf", .array(let list)), ("enum", .array(let list)),
      ("prefixItems", .array(let list)), ("required", .array(let list)):
      return list.indices.flatMap { index in
        let name = "\(place)/\(keyword)"
        let without = list[..<index] + list[(index + 1)...]
        return list[index].weakened(at: name, without: ignored).map { inner in
          (
            inner.place,
            LocatedValue(kind: .array(list.replacing(index, by: inner.schema)), position: position)
          )
        } + [("\(name)[\(index)]", LocatedValue(kind: .array(Array(without)), position: position))]
      }
    case ("items", _), ("propertyNames", _), ("additionalProperties", _):
      return weakened(at: "\(place)/\(keyword)", without: ignored)
    default: return []
    }
  }

  /// This object with another value for a key, or without it.
  private func replacing(_ key: String, by value: LocatedValue?) -> LocatedValue {
    guard case .object(var members) = kind,
      let place = members.firstIndex(where: { $0.key == key })
    else { return self }
    if let value { members[place].value = value } else { members.remove(at: place) }
    return LocatedValue(kind: .object(members), position: position)
  }
}

extension [LocatedValue] {
  /// The list with another value at a place.
  fileprivate func replacing(_ index: Int, by value: LocatedValue) -> [LocatedValue] {
    var list = self
    list[index] = value
    return list
  }
}
