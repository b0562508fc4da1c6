import BackupDevice
import BackupFileTree
import Foundation
import TestSupport
import Testing

@testable import BackupJSON5
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// The words of the code and of the schema are the same, and each is explained.
@Suite struct SchemaVocabularyTests {
  /// The schema as a value.
  private let document: LocatedValue
  /// The schemas in it, by where they stand.
  private let subschemas: [(place: String, value: LocatedValue)]

  /// Reads the schema.
  init() throws {
    self.document = try read(Repository.schemaText())
    var found: [(place: String, value: LocatedValue)] = []
    document.gatherSchemas(at: "#", &found)
    self.subschemas = found
  }

  @Test func `the schema is plain JSON`() throws {
    let text = try Repository.schemaText()
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    #expect(document["$schema"]?.kind == .string("https://json-schema.org/draft/2020-12/schema"))
  }

  @Test func `the schema is no scenario`() throws {
    #expect(try !Repository.scenarios().contains { $0.path.hasSuffix("/scenario.schema.json") })
  }

  @Test(arguments: ["step", "launchStep"])
  func `every kind of step is a step of the schema`(name: String) throws {
    let kinds = StepKind.all.filter { name == "step" || $0.actor != .system }
    #expect(try keywords(below: name) == Set(kinds.map { $0.keyword }))
  }

  @Test func `steps of the app, of the system and assertions are those of the code`() throws {
    let actors: [(String, StepActor)] = [
      ("appStep", .app), ("systemStep", .system), ("assertion", .observer),
    ]
    for (name, actor) in actors {
      let kinds = StepKind.all.filter { $0.actor == actor }
      #expect(try keywords(below: name) == Set(kinds.map { $0.keyword }))
    }
  }

  @Test func `every list of words is one of the code's`() throws {
    let code: [[String]] = [
      RuleList.names, SystemProfile.all.map(\.version.description),
      BackupKind.allCases.map(\.rawValue), DataClass.allCases.map(\.rawValue),
      SystemProfile.Guidance.allCases.map(\.rawValue),
      FileOperation.WriteMethod.allCases.map(\.rawValue),
      ExclusionMark.all.map(\.description), ExpectedFailure.codes.map(\.name),
      Scenario.Severity.allCases.map(\.rawValue), ["lowStorage", "criticalStorage"],
      RequirementCatalogue.all.map(\.id),
    ]
    let lists = try subschemas.compactMap { try $0.value["enum"]?.elements(of: "enum") }
      .map { $0.compactMap { try? $0.text(of: "enum") } }.filter { !$0.isEmpty }
    #expect(Set(lists) == Set(code))
  }

  @Test func `the numbers of versions are those of the code`() throws {
    let version = try #require(
      try document["$defs"]?["system"]?["anyOf"]?.elements(of: "anyOf").last)
    let numbers = try version["enum"]?.elements(of: "enum").map { try $0.double(of: "enum") }
    #expect(numbers == SystemProfile.all.compactMap { Double($0.version.description) })
  }

  @Test func `the answers to a missing file are those of the code`() throws {
    let words = try subschemas.compactMap { try $0.value["const"]?.text(of: "const") }
    #expect(Set(words) == Set(ReadStep.WhenMissing.allCases.map(\.rawValue)))
  }

  @Test func `the limits are those of the code`() throws {
    let size = try document["$defs"]?["size"]?["anyOf"]?.elements(of: "anyOf").first
    #expect(try size?["maximum"]?.count(of: "maximum") == Int(ByteSize.largest))
    for key in ["steps", "launch"] {
      let most = try document["properties"]?[key]?["maxItems"]?.count(of: key)
      #expect(most == ScenarioReader.mostSteps)
    }
    let step = document["$defs"]?["runStep"]?["properties"]
    #expect(try step?["run"]?["maxItems"]?.count(of: "maxItems") == RunStep.largestCount)
    let time = step?["timeLimit"]
    #expect(try time?["maximum"]?.double(of: "maximum") == RunStep.longestTime)
    #expect(try time?["default"]?.double(of: "default") == RunStep.defaultTime)
  }

  @Test func `every property and every definition has a description`() throws {
    for (place, value) in subschemas where place.hasSuffix("}") {
      let description = try #require(try value["description"]?.text(of: place), "\(place)")
      #expect(description.count > 10 && description.hasSuffix("."), "\(place)")
    }
    #expect(subschemas.count { $0.place.hasSuffix("}") } > 100)
  }

  @Test func `every object with named properties is closed`() {
    for (place, value) in subschemas where value["properties"] != nil {
      #expect(value["additionalProperties"]?.kind == .bool(false), "\(place)")
    }
  }

  @Test func `every step, the scenario and the expectation have examples`() throws {
    let steps = try document["$defs"]?.members(of: "$defs").map(\.key)
      .filter { $0.hasSuffix("Step") && !["appStep", "systemStep", "launchStep"].contains($0) }
    for name in (steps ?? []) + ["expectation"] {
      #expect(document["$defs"]?[name]?["examples"] != nil, "\(name)")
    }
    #expect(document["title"] != nil && document["examples"] != nil)
  }

  @Test func `examples and defaults are as their schema says`() throws {
    for (place, value) in subschemas {
      let examples = try value["examples"]?.elements(of: "examples") ?? []
      let schema = try JSONSchema(value, definitions: document["$defs"])
      for example in examples + [value["default"]].compactMap(\.self) {
        #expect(schema.accepts(example), "\(place): \(example.outline)")
      }
    }
  }

  @Test func `the scenario among the examples is read`() throws {
    let example = try #require(try document["examples"]?.elements(of: "examples").first)
    #expect(try Scenario(text: example.json5).steps.count == 6)
  }

  @Test func `every definition is used`() throws {
    let used = try subschemas.compactMap { try $0.value["$ref"]?.text(of: "$ref") }
    let defined = try document["$defs"]?.members(of: "$defs").map { "#/$defs/\($0.key)" }
    #expect(Set(used) == Set(defined ?? []))
  }

  /// The keywords of the steps that a definition lists.
  private func keywords(below name: String) throws -> Set<String> {
    let definition = try #require(document["$defs"]?[name])
    guard let choices = try definition["anyOf"]?.elements(of: "anyOf") else {
      let first = try definition["required"]?.elements(of: "required").first
      return [try #require(try first?.text(of: "required"))]
    }
    return try choices.reduce(into: []) { words, choice in
      let target = try #require(try choice["$ref"]?.text(of: "$ref"))
      words.formUnion(try keywords(below: String(target.dropFirst("#/$defs/".count))))
    }
  }
}

extension LocatedValue {
  /// Adds this schema and those in it; named ones have a place that ends in `}`.
  fileprivate func gatherSchemas(
    at place: String, _ found: inout [(place: String, value: LocatedValue)]
  ) {
    guard case .object(let members) = kind else { return }
    found.append((place, self))
    for member in members {
      switch (member.key, member.value.kind) {
      case ("properties", .object(let named)), ("$defs", .object(let named)):
        for inner in named { inner.value.gatherSchemas(at: "\(place)/{\(inner.key)}", &found) }
      case ("anyOf", .array(let inner)), ("oneOf", .array(let inner)),
        ("prefixItems", .array(let inner)):
        for value in inner { value.gatherSchemas(at: "\(place)/\(member.key)", &found) }
      case ("items", _), ("propertyNames", _), ("additionalProperties", _):
        member.value.gatherSchemas(at: "\(place)/\(member.key)", &found)
      default: break
      }
    }
  }
}
