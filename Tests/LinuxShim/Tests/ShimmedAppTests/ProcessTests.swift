import Foundation
import ShimmedApp
import Testing

/// In a process of the app's own, the shim reads the container from environment variables.
@Suite struct ProcessTests {
  /// Runs the app's process, and returns the lines that it prints.
  private func run(_ argument: String, _ environment: [String: String]) throws -> [String] {
    try AppProcess.lines(of: "ShimmedProcess", argument, environment)
  }

  @Test func `Every thread has the container that the environment names`() async throws {
    try await TestContainer.run { root in
      let environment = ["BACKUP_TESTING_CONTAINER": root.path]
      let places = DirectoryTests.places.map { "\($0.key)=\(root.path)\($0.value)" }.sorted()
      #expect(try run("directories", environment) == places)
      let file = URL(fileURLWithPath: try #require(try run("save", environment).first))
      #expect(file.path.hasPrefix("\(root.path)/Library/Application Support/"))
      #expect(file.hasMark)
    }
  }

  @Test func `Groups and the identifier come from the environment`() throws {
    let environment = [
      "BACKUP_TESTING_CONTAINER": "/container", "BACKUP_TESTING_BUNDLE_IDENTIFIER": "com.example.x",
      "BACKUP_TESTING_GROUPS": #"{ "group.a": "/groups/a" }"#,
    ]
    #expect(try run("names", environment) == ["/groups/a", "nil", "com.example.x"])
  }

  @Test func `The defaults keep a URL in the home with a tilde, and other URLs unchanged`()
    async throws
  {
    try await TestContainer.run { root in
      let home = root.path
      let kept = try run("kept", ["BACKUP_TESTING_CONTAINER": home, "CFFIXED_USER_HOME": home])
      #expect(
        kept == [
          "~ file://\(home)/ nil", "~/Library/a b file://\(home)/Library/a%20b nil",
          "\(home)-b/c file://\(home)-b/c nil", "/etc/x file:///etc/x nil",
          "kept nil",
        ])
      // If the home is not the container, nothing expands a tilde to the container's path.
      let elsewhere = try run(
        "kept", ["BACKUP_TESTING_CONTAINER": "/container", "CFFIXED_USER_HOME": home])
      #expect(elsewhere.first == "\(home) file://\(home)/ nil")
    }
  }

  @Test(arguments: ["", "no object", #"{ "group.a": 1 }"#])
  func `Without a container or a valid list of groups, there is no group`(_ text: String) throws {
    #expect(try run("names", ["BACKUP_TESTING_GROUPS": text]) == ["nil", "nil", "nil"])
  }
}
