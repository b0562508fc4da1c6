#if os(macOS) || os(Linux)
/// A scenario with special characters, which reports have to escape.
enum OddScenarios {
  /// An id with characters that have a meaning for GitHub, in XML and in JSON.
  static let id = "odd, %0A \"q\" <&'>]]>:: name"

  /// A failing scenario with special characters in its title, labels and paths.
  static let text = """
    {
      title: "odd \\u0007 \\u2028 <title> & \\"more\\"",
      files: { "Documents/**": "critical" },
      steps: [
        { createDirectory: "Library/<a>&\\"b\\"%0A::c,\\n\\u001b[31m\\u202e" },
        { save: "Library/<a>&\\"b\\"%0A::c,\\n\\u001b[31m\\u202e/]]>.db", size: 1 },
        { exclude: "Library/<a>&\\"b\\"%0A::c,\\n\\u001b[31m\\u202e/]]>.db" },
        { save: "Library/<a>&\\"b\\"%0A::c,\\n\\u001b[31m\\u202e/]]>.db", size: 2 },
        { backup: "label \\r\\n::error::<x>&amp;\\uFFFE" },
      ],
    }
    """
}
#endif
