import Foundation
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// The calls with which app code marks its files.
@Suite struct ExcludedFromBackupTests {
  private let container: FakeContainer

  init() throws {
    container = try FakeContainer()
  }

  @Test func `a mark is set, read and cleared, each twice`() throws {
    let url = container.documents
    #expect(try !url.hasBackupExclusionMark)
    for excluded in [true, true, false, false] {
      try excluded ? url.excludeFromBackup() : url.includeInBackup()
      #expect(try url.hasBackupExclusionMark == excluded)
      let marks = try container.scan()["Documents"]?.marks
      #expect(marks == (excluded ? .resourceValue : []))
    }
  }

  @Test func `items in a marked directory have no mark of their own`() throws {
    try container.library.excludeFromBackup()
    #expect(try !container.caches.hasBackupExclusionMark)
  }

  @Test func `the deprecated attribute is not the resource value`() throws {
    try container.apply(.setMark(.extendedAttribute, on: "tmp", to: true))
    #expect(try !container.temporary.hasBackupExclusionMark)
  }

  @Test(arguments: ["no", "no/such", "file/inside"])
  func `a missing item throws fileNoSuchFile, as on iOS`(name: String) throws {
    try container.apply(.save("Documents/file"))
    let url = container.documents.appending(path: name)
    for excluded in [true, false] {
      let error = try #require(throws: CocoaError.self) {
        try excluded ? url.excludeFromBackup() : url.includeInBackup()
      }
      #expect(error.code == .fileNoSuchFile)
      #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
    }
    let error = try #require(throws: CocoaError.self) { try url.hasBackupExclusionMark }
    #expect(error.code == .fileNoSuchFile)
  }

  @Test func `a link is not followed`() throws {
    try container.apply(.save("tmp/a"))
    try container.apply(.link("Documents/l", destination: "tmp/a"))
    try? container.url(of: "Documents/l").excludeFromBackup()
    #expect(try !container.url(of: "tmp/a").hasBackupExclusionMark)
    try container.url(of: "tmp/a").excludeFromBackup()
    try? container.url(of: "Documents/l").includeInBackup()
    #expect(try container.url(of: "tmp/a").hasBackupExclusionMark)
  }

  @Test func `a URL that is not a file URL is refused`() throws {
    let url = try #require(URL(string: "https://example.com" + container.documents.path))
    #expect(throws: CocoaError.self) { try url.excludeFromBackup() }
    #expect(throws: CocoaError.self) { try url.hasBackupExclusionMark }
    #expect(try !container.documents.hasBackupExclusionMark)
  }

  @Test func `the attribute's value is the property list that Apple platforms store`() throws {
    let list = try PropertyListSerialization.propertyList(
      from: Data(ExclusionMark.resourceValue.attributeValue), format: nil)
    #expect(list as? String == "com.apple.backupd")
    #expect(ExclusionMark.extendedAttribute.attributeValue == [1])
  }

  @Test func `marks have descriptions`() {
    #expect(ExclusionMark.resourceValue.description == "resourceValue")
    #expect(ExclusionMark.extendedAttribute.description == "extendedAttribute")
    #expect(([] as ExclusionMark).description == "none")
    #expect(ExclusionMark(ExclusionMark.all).description.contains(" and "))
  }
}
