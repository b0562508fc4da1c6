import Foundation
import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupJSON5
@testable import BackupReports
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// The descriptions, defaults and examples in the schema of scenario files.
@Suite struct SchemaTextTests {
  /// The schema as a value.
  private let document: LocatedValue
  /// The schemas inside it, with their places.
  private let subschemas: [(place: String, value: LocatedValue)]

  init() throws {
    self.document = try LocatedValue(json5: Repository.schemaText())
    var found: [(place: String, value: LocatedValue)] = []
    document.gatherSchemas(at: "#", &found)
    self.subschemas = found
  }

  @Test func `the file is what the schema command prints`() throws {
    let printed = ScenarioSchema().text
    let isSame = try Repository.schemaText() == printed
    #expect(isSame, "run: backup-testing schema > Scenarios/scenario.schema.json")
  }

  @Test(arguments: [
    ("{ files: { 'Documents/**': 'critical' } }", true),
    ("{ $schema: 'app.schema.json', files: {} }", true), ("{}", false),
    ("{ files: { 'Documents/**': 'crtical' } }", false),
    ("{ files: {}, title: 'A', steps: [] }", false),
  ])
  func `the schema of app.json5 accepts what the kit reads`(text: String, isAccepted: Bool) throws {
    let schema = try Repository.text(at: Repository.scenarioFolder + "/app.schema.json")
    #expect(schema == ScenarioSchema().textOfAppFile, "run: Tests/Scripts/derived-files")
    #expect(try JSONSchema(schema).accepts(LocatedValue(json5: text)) == isAccepted)
    let result = Result { () throws(RunError) in
      _ = try ScenarioReader.readAppFile(Array(text.utf8), file: "app.json5")
    }
    #expect(((try? result.get()) != nil) == isAccepted)
  }

  @Test func `the article has the tables that the schema command prints as markdown`() throws {
    let article = try Repository.text(
      at: Repository.scenarioFolder
        + "/../Sources/BackupTesting/BackupTesting.docc/ScenarioFiles.md")
    for table in ScenarioSchema().tables {
      #expect(article.contains("\n\n\(table)\n"))
    }
  }

  @Test func `the default of every key is one of its values`() throws {
    let fields =
      StepKind.all.flatMap { $0.otherFields } + [ExpectedFailure.field]
      + Scenario.allFields(rules: []) + Scenario.appField.nestedFields
    for field in fields {
      guard case .value = field.default else { continue }
      let collector = MistakeCollector()
      let value = try #require(field.defaultValue, "\(field.key)")
      _ = field.read(ValueReader(value: value, collector: collector))
      #expect(collector.mistakes.isEmpty, "\(field.key)")
    }
  }

  @Test func `the schema is plain JSON`() throws {
    let text = try Repository.schemaText()
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    #expect(document["$schema"]?.kind == .string("https://json-schema.org/draft/2020-12/schema"))
  }

  @Test func `the schema is not read as a scenario`() throws {
    #expect(try !Repository.scenarios().contains { $0.path.hasSuffix("/scenario.schema.json") })
  }

  @Test func `every property and every definition has a description`() throws {
    for (place, value) in subschemas where place.hasSuffix("}") && !place.contains("/anyOf/{") {
      let description = try #require(try value["description"]?.text(of: place), "\(place)")
      #expect(description.count > 10 && description.hasSuffix("."), "\(place)")
    }
    #expect(subschemas.count { $0.place.hasSuffix("}") } > 100)
  }

  @Test func `every object with named properties is closed`() {
    for (place, value) in subschemas where value["properties"] != nil && value["type"] != nil {
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

  @Test func `examples and defaults conform to their schema`() throws {
    for (place, value) in subschemas {
      let examples = try value["examples"]?.elements(of: "examples") ?? []
      let schema = try JSONSchema(value, definitions: document["$defs"])
      for example in examples + [value["default"]].compactMap(\.self) {
        #expect(schema.accepts(example), "\(place): \(example.outline)")
      }
    }
  }

  @Test func `the example of a scenario is read`() throws {
    let example = try #require(try document["examples"]?.elements(of: "examples").first)
    #expect(try Scenario(text: example.json5).steps.count == 6)
  }

  @Test func `every definition is used`() throws {
    let used = try subschemas.compactMap { try $0.value["$ref"]?.text(of: "$ref") }
    let defined = try document["$defs"]?.members(of: "$defs").map { "#/$defs/\($0.key)" }
    #expect(Set(used) == Set(defined ?? []))
  }
}

extension LocatedValue {
  /// Adds this schema and the schemas inside it to `found`. The place of a named schema ends in
  /// `}`.
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
