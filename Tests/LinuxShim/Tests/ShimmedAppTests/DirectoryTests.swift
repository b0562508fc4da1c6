import Foundation
import ShimmedApp
import Testing

@Suite struct DirectoryTests {
  /// The expected results of `StandardDirectories.answers`, relative to the container.
  static let places = [
    "NSHomeDirectory": "",
    "NSTemporaryDirectory": "/tmp/",
    "temporaryDirectory": "/tmp",
    "URL.homeDirectory": "",
    "URL.temporaryDirectory": "/tmp",
    "URL.documentsDirectory": "/Documents",
    "URL.libraryDirectory": "/Library",
    "URL.cachesDirectory": "/Library/Caches",
    "URL.applicationSupportDirectory": "/Library/Application Support",
    "URL.desktopDirectory": "/Desktop",
    "URL.downloadsDirectory": "/Downloads",
    "URL.moviesDirectory": "/Movies",
    "URL.musicDirectory": "/Music",
    "URL.picturesDirectory": "/Pictures",
    "URL.sharedPublicDirectory": "/Public",
    "URL.trashDirectory": "/.Trash",
    "search documents": "/Documents",
    "search caches": "/Library/Caches",
    "urls documents": "/Documents",
    "urls library": "/Library",
    "url caches": "/Library/Caches",
    "URL(for:)": "/Documents",
  ]

  @Test func `Each call returns a place in the container`() async throws {
    try await TestContainer.run { root in
      let expected = Self.places.mapValues { root.path + $0 }
      let answers = try StandardDirectories.answers()
      #expect(answers == expected)
    }
  }

  @Test func `Application Support exists only after a call with create`() async throws {
    try await TestContainer.run { root in
      let support = root.appendingPathComponent("Library/Application Support")
      _ = try StandardDirectories.answers()
      #expect(!FileManager.default.fileExists(atPath: support.path))
      let file = try DownloadStore().save(Data([1]), as: "a")
      #expect(file.path == support.path + "/Downloads/a")
      #expect(file.hasMark)
    }
  }

  @Test func `Each folder for a replacement is a new one in the container's tmp`() async throws {
    try await TestContainer.run { root in
      let item = root.appendingPathComponent("Documents/a")
      let folders = try (0..<2).map { _ in try StandardDirectories.replacementFolder(for: item) }
      #expect(folders[0] != folders[1])
      for folder in folders {
        #expect(folder.deletingLastPathComponent().path == root.path + "/tmp")
        #expect(FileManager.default.fileExists(atPath: folder.path))
      }
    }
  }

  @Test func `The shim changes only the user domain`() async throws {
    let outside = StandardDirectories.localDirectories()
    let urls = StandardDirectories.everywhere().urls
    try await TestContainer.run { root in
      #expect(StandardDirectories.localDirectories() == outside)
      let inside = StandardDirectories.everywhere()
      #expect(inside.urls.first?.path == root.path + "/Library/Caches")
      #expect(inside.urls.dropFirst() == urls.dropFirst())
      #expect(inside.paths.first == inside.urls.first?.path)
    }
  }

  @Test func `Without a container, the results are Foundation's`() throws {
    let answers = try StandardDirectories.answers()
    #expect(answers["NSHomeDirectory"] == NSHomeDirectory())
    #expect(answers["NSTemporaryDirectory"] == NSTemporaryDirectory())
    #expect(answers["temporaryDirectory"] == FileManager.default.temporaryDirectory.path)
    let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
    #expect(answers["URL.documentsDirectory"] == documents?.path)
    #expect(answers["search documents"] == documents?.path)
    #expect(answers["URL.libraryDirectory"] == NSHomeDirectory() + "/Library")
  }
}
