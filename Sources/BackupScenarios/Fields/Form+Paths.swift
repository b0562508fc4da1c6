import BackupDiagnostics
import BackupFileTree
import BackupJSON5

extension Form where Value == ContainerPath {
  /// A path that begins at a folder and never leads out of it. `advice` says which there may be;
  /// `look` notes one to be wondered at.
  static func relativePath(
    _ expected: String, advice: String? = nil,
    _ look: @escaping @Sendable (ValueReader, ContainerPath) -> Void = { _, _ in }
  ) -> Form {
    Form(expected: expected, words: "path", schema: pathSchema) { reader in
      guard let text = reader.string(expected) else { return nil }
      do throws(RunError) {
        let path = try ContainerPath(text)
        look(reader, path)
        return path
      } catch {
        reader.note(
          advice.map { "the path '\(text)' is not allowed here; \($0)" } ?? "the path \(error)")
        return nil
      }
    }
  }

  /// What a schema says of paths: no component that is empty, `.` or `..`, and not too many.
  private static var pathSchema: Schema {
    [
      "type": "string",
      "pattern":
        #"^(?=[^\u0000]{1,1024}/?$)(?!\.{1,2}(?:/|$))[^/\u0000]{1,255}(?:/(?!\.{1,2}(?:/|$))[^/\u0000]{1,255}){0,63}/?$"#,
    ]
  }

  static var path: Form {
    relativePath("a path in the container") { reader, path in
      reader.refuseMisspeltTop(path)
      reader.noteContainer(of: path)
    }.named(
      "path",
      "A path relative to the container, of at most 64 components, without '.', '..' and empty "
        + "ones; group.x:/… in the container of a group or extension that 'app' names.",
      examples: ["Documents/notes.txt", "Library/Caches/Thumbnails", "group.x:/widget.json"])
  }
}

extension Form where Value == PathPattern {
  static var pattern: Form {
    Form(
      expected: "a pattern of paths", words: "pattern", schema: Form<ContainerPath>.path.schema
    ) { reader in
      guard let text = reader.string("a pattern of paths") else { return nil }
      do throws(RunError) {
        let pattern = try PathPattern(text)
        let path = try ContainerPath(text)
        reader.refuseMisspeltTop(path)
        reader.noteContainer(of: path)
        return pattern
      } catch {
        reader.note("the pattern \(error)")
        return nil
      }
    }.named(
      "pattern",
      "A pattern of paths: * within a component, ** any number of components, ? one character. It "
        + "applies to the app's own container; group.x:/** applies to a group's, *:/** to all "
        + "others.",
      examples: ["Documents/**", "Library/Caches/*.png", "group.x:/**"])
  }
}

extension ValueReader {
  /// Notes a mistake if the topmost directory is nearly a standard one: `Libary`.
  fileprivate func refuseMisspeltTop(_ path: ContainerPath) {
    if let objection = path.objectionToTop { note(objection) }
  }
}

extension ContainerPath {
  /// What is wrong if the topmost directory is nearly a standard one; nil for any other, and for one that
  /// differs in case only: apps do that, and a device then refuses it.
  var objectionToTop: String? {
    let top = pathInContainer?.components.first?.string ?? ""
    let names = [StandardLocation.documents, .library, .temporary].map(\.rawValue)
    guard containerName?.isGroup != true, !names.contains(top),
      top.count > 3 || top.lowercased() == "tmp",
      !top.contains(where: { "*?.".contains($0) }), !names.contains(where: top.isOnlyCase(of:)),
      let name = NearestWord.to(top, in: names)
    else { return nil }
    return "a container has no '\(top.shown)'; did you mean '\(name)'?"
  }
}

extension PathPattern {
  /// The pattern as a message quotes it, on one line.
  var shown: String { description.shown }
}

extension String {
  fileprivate func isOnlyCase(of name: String) -> Bool { lowercased() == name.lowercased() }
}
