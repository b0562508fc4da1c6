@testable import BackupJSON5

extension SchemaKeyword {
  static let arrays: [String: Reader] = [
    "prefixItems": { value, _, compiler in
      let nodes = try compiler.nodes(value, of: "prefixItems")
      return onArrays { elements, schema in
        zip(nodes, elements).allSatisfy { $0.accepts($1, in: schema) }
      }
    },
    "items": { value, parent, compiler in
      let node = try compiler.node(value)
      let prefix = try parent["prefixItems"]?.elements(of: "prefixItems").count ?? 0
      return onArrays { elements, schema in
        elements.dropFirst(prefix).allSatisfy { node.accepts($0, in: schema) }
      }
    },
    "minItems": { value, _, _ in
      let minimum = try value.count(of: "minItems")
      return onArrays { elements, _ in elements.count >= minimum }
    },
    "maxItems": { value, _, _ in
      let maximum = try value.count(of: "maxItems")
      return onArrays { elements, _ in elements.count <= maximum }
    },
    "uniqueItems": { value, _, _ in
      guard value.kind == .bool(true) else {
        throw JSONSchema.Mistake(description: "'uniqueItems' is not true")
      }
      return onArrays { elements, _ in
        elements.indices.allSatisfy { index in
          !elements[..<index].contains { $0.isEqual(to: elements[index]) }
        }
      }
    },
  ]

  static let objects: [String: Reader] = [
    "required": { value, _, _ in
      let keys = try value.elements(of: "required").map { try $0.text(of: "required") }
      return onObjects { members, _ in
        keys.allSatisfy { key in members.contains { $0.key.isSame(as: key) } }
      }
    },
    "minProperties": { value, _, _ in
      let minimum = try value.count(of: "minProperties")
      return onObjects { members, _ in members.count >= minimum }
    },
    "maxProperties": { value, _, _ in
      let maximum = try value.count(of: "maxProperties")
      return onObjects { members, _ in members.count <= maximum }
    },
    "propertyNames": { value, _, compiler in
      let node = try compiler.node(value)
      return onObjects { members, schema in
        members.allSatisfy {
          node.accepts(LocatedValue(kind: .string($0.key), position: $0.keyPosition), in: schema)
        }
      }
    },
    "properties": { value, _, compiler in
      let nodes = try value.members(of: "properties").map { ($0.key, try compiler.node($0.value)) }
      return onObjects { members, schema in
        members.allSatisfy { member in
          let node = nodes.first { $0.0.isSame(as: member.key) }?.1
          return node?.accepts(member.value, in: schema) != false
        }
      }
    },
    "additionalProperties": { value, parent, compiler in
      let node = try compiler.node(value)
      let named = try parent["properties"]?.members(of: "properties").map(\.key) ?? []
      return onObjects { members, schema in
        members.allSatisfy { member in
          named.contains { $0.isSame(as: member.key) } || node.accepts(member.value, in: schema)
        }
      }
    },
  ]

  /// Returns a check of lists, which all other values pass.
  private static func onArrays(
    _ check: @escaping @Sendable ([LocatedValue], JSONSchema) -> Bool
  ) -> JSONSchema.Check {
    { instance, schema in
      guard case .array(let elements) = instance.kind else { return true }
      return check(elements, schema)
    }
  }

  /// Returns a check of objects, which all other values pass.
  private static func onObjects(
    _ check: @escaping @Sendable ([LocatedValue.Member], JSONSchema) -> Bool
  ) -> JSONSchema.Check {
    { instance, schema in
      guard case .object(let members) = instance.kind else { return true }
      return check(members, schema)
    }
  }
}
