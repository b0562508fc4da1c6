import BackupTesting
import Testing

@testable import BackupDiagnostics
@testable import BackupScenarios

/// The arguments that a bound action gets from its step.
@Suite struct ActionArgumentTests {
  /// A movie in the arguments of a step.
  private struct Movie: Decodable, Equatable, Sendable {
    var id: Int
    var title: String
    var chapters: [Chapter] = []
    var rating: Double?

    /// A chapter of a movie.
    struct Chapter: Decodable, Equatable, Sendable {
      /// The start in seconds.
      var start: Double
    }
  }

  /// Returns a step with these arguments.
  private static func step(_ arguments: String) -> String {
    "{ perform: \"act\", with: { \(arguments) } }"
  }

  @Test func `an argument is converted to the type that the code asks for`() async throws {
    let run = try await ActionRun(
      [Self.step("id: 7, ratio: .5, name: 'é\\u0041', on: true, tags: ['a', 'b'], big: 0xFF")],
      actions: [
        "act": { action in
          let id: Int = try action.argument("id")
          #expect(id == 7)
          #expect(try action.argument("id", as: Double.self) == 7)
          #expect(try action.argument("ratio", as: Double.self) == 0.5)
          #expect(try action.argument("name", as: String.self) == "éA")
          #expect(try action.argument("on", as: Bool.self))
          #expect(try action.argument("tags", as: [String].self) == ["a", "b"])
          #expect(try action.argument("big", as: UInt8.self) == 255)
          #expect(try action.argumentIfPresent("none", as: Int.self) == nil)
          #expect(try action.argumentIfPresent("id", as: Int.self) == 7)
        }
      ])
    #expect(run.failure == nil)
  }

  @Test func `one argument, or all of them, are decoded as structs`() async throws {
    let movie = "id: 1, title: 'A', chapters: [{ start: 0 }, { start: 1.5 }], rating: null"
    let expected = Movie(id: 1, title: "A", chapters: [.init(start: 0), .init(start: 1.5)])
    let run = try await ActionRun(
      ["{ perform: \"act\", with: { \(movie), movie: { \(movie) } } }"],
      actions: [
        "act": { action in
          let all: Movie = try action.arguments()
          let one: Movie = try action.argument("movie")
          let rating: Double? = try action.argument("rating")
          #expect(all == expected && one == expected && rating == nil)
        }
      ])
    #expect(run.failure == nil)
  }

  @Test func `a missing argument is named with the nearest`() async throws {
    let run = try await ActionRun(
      [Self.step("movieId: 1")],
      actions: ["act": { _ = try $0.argument("movieID", as: Int.self) }])
    let failure = try #require(run.failure)
    #expect(failure.contains("the action 'act' needs the argument 'movieID'"))
    #expect(!failure.contains("did you mean"))
    #expect(failure.contains("rename 'movieId' to 'movieID'"))
    #expect(run.transcript.failure?.step.position.line == 2)
  }

  @Test func `the failure of a step without arguments says how to add one`() async throws {
    let run = try await ActionRun(
      ["{ perform: \"act\" }"], actions: ["act": { _ = try $0.argument("id", as: Int.self) }])
    #expect(run.failure?.contains("add with: { id: … }") == true)
  }

  @Test(arguments: [
    ("id: 'x'", "is not of type Int: found the string 'x'; write another value, or let the action"),
    ("id: 1.5", "is not of type Int: found the number 1.5"),
    ("id: true", "is not of type Int: found true"),
    ("id: [1]", "is not of type Int: found a list"),
    ("id: {}", "is not of type Int"),
    ("id: NaN", "is not of type Int"), ("id: 1e300", "is not of type Int"),
    ("id: null", "is not of type Int"),
  ])
  func `the failure names an argument of another type, at its position`(
    arguments: String, message: String
  ) async throws {
    let run = try await ActionRun(
      ["{ perform: \"ok\" }", Self.step(arguments)],
      actions: ["act": { _ = try $0.argument("id", as: Int.self) }, "ok": { _ in }])
    let failure = try #require(run.failure)
    #expect(failure.hasPrefix("the argument 'id' of the action 'act' \(message)"))
    let position = run.transcript.failure?.position
    #expect(position?.line == 3)
    #expect(position?.column != run.transcript.failure?.step.position.column)
  }

  @Test(arguments: [
    ("id: 1", "'title' is missing"), ("id: 1, title: 2", "'title' is not of type String"),
    ("id: 1, title: 'a', chapters: [{ start: 1 }, {}]", "'chapters.1.start' is missing"),
    ("id: 1, title: 'a', chapters: [{ start: '1' }]", "'chapters.0.start' is not of type Double"),
  ])
  func `the failure names the part that does not fit a struct`(
    arguments: String, message: String
  ) async throws {
    struct Chapter: Decodable { var start: Double }
    struct Strict: Decodable {
      var id: Int
      var title: String
      var chapters: [Chapter]?
    }
    let run = try await ActionRun(
      [Self.step(arguments)], actions: ["act": { _ = try $0.arguments(as: Strict.self) }])
    let failure = try #require(run.failure)
    #expect(failure.contains("the arguments of the action 'act' are not of type Strict"))
    #expect(failure.contains(message))
  }
}
