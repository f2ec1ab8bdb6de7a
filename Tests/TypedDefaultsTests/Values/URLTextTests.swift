import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// URLs as a person types them.
final class URLTextTests: XCTestCase {
  private struct Settings: SettingsGroup {
    @WrappedDefault("site") var site = URL(string: "https://example.com/a?b=c")!
    @WrappedDefault("sites") var sites = [URL(string: "https://example.com")!]
  }

  private let settings = Settings(in: .inMemory())

  func testTheTextOfAURLIsReadable() throws {
    let base = URL(string: "https://example.com/a/")
    let texts: [(URL?, String)] = [
      (
        URL(string: "b?c#d", relativeTo: base),
        #"{"base":"https://example.com/a/","relative":"b?c#d"}"#
      ),
      (URL(string: "a/b"), #"{"relative":"a/b"}"#), (URLComponents().url, #"{"relative":""}"#),
      (
        URL(string: "x", relativeTo: URL(string: "y/z")),
        #"{"base":{"relative":"y/z"},"relative":"x"}"#
      ),
      (URL(string: "f", relativeTo: URL(filePath: "/a b/")), #"{"base":"/a b/","relative":"f"}"#),
      (URL(filePath: "/{\"relative\":\"x\"}"), #"/{"relative":"x"}"#),
      (URL(string: "file:///a?b"), "file:///a?b"),
      (URL(string: "mailto:a@b.org"), "mailto:a@b.org"),
    ]
    for (url, text) in texts {
      let url = try XCTUnwrap(url)
      settings.site = url
      XCTAssertEqual(settings.$site.text, text)
      settings.site = URL(filePath: "/")
      try settings.$site.set(text: text)
      XCTAssertEqual(settings.site, url)
      settings.sites = [url, url]
      let list = try XCTUnwrap(settings.$sites.text)
      XCTAssertFalse(list.contains("<62"), list)
      settings.sites = []
      try settings.$sites.set(text: list)
      XCTAssertEqual(settings.sites, [url, url])
    }
  }

  func testAURLIsTypedAsAnAddressOrAPathAndNoOtherWay() throws {
    let relative = #"{"base":"/a b/","relative":"f"}"#
    for text in [
      "https://example.com/x", "mailto:a@b.org", "file:///x", "/etc/hosts", "~/x", "~",
      "/\u{30A}x",
      #""https://swift.org""#, relative, #"{"relative":"a/b"}"#, #"{"relative":""}"#,
      "{relative = x;}",
    ] {
      try settings.$site.set(text: text)
      settings.$site.reset()
    }
    try settings.$sites.set(text: "[\(relative), \"~/x\", \"https://swift.org\"]")
    for text in [
      "example.com/x", "not a url", " ", "", "a/b", "./x", "../x", "~ann/x", #""a""#, "(a)",
      "[]", "{", #"{"relative":"x""#, #"{"base":"a","relative":"x"}"#,
      #"{"base":{"base":"a","relative":"y"},"relative":"x"}"#, " https://example.com/",
    ] {
      XCTAssertThrowsError(try settings.$site.set(text: text), text) { error in
        XCTAssertTrue("\(error)".hasPrefix("invalid value "), "\(error)")
        let end = "expected a URL, such as https://example.com/ or /path"
        XCTAssertTrue("\(error)".hasSuffix(end), "\(error)")
      }
    }
    XCTAssertThrowsError(try settings.$sites.set(text: #"["/a", "b"]"#)) { error in
      XCTAssertEqual(
        "\(error)",
        #"invalid value "[\"/a\", \"b\"]" for sites; expected a list in brackets, each a URL, "#
          + "such as https://example.com/ or /path")
    }
    XCTAssertFalse(settings.$site.isStored)
  }

  /// In an argument and a variable, but not in what is stored.
  func testARelativePathInAnOverrideIsNoURLAndAStoredOneIsStillRead() throws {
    setenv("URL_TEXT_TESTS", "relative/path", 1)
    addTeardownBlock { unsetenv("URL_TEXT_TESTS") }
    let none = URL(filePath: "/")
    let path = URL(fileURLWithPath: "relative/path")
    for store in try makeStores() + [AnnouncingDefaults()] {
      let recorder = recordIssues()
      store.setVolatileDomain(
        ["argument": "relative/path", "list": ["/a", "relative/path"]],
        forName: UserDefaults.argumentDomain)
      let argument = WrappedDefault(wrappedValue: none, "argument", userDefaults: store)
      let list = WrappedDefault(wrappedValue: [none], "list", userDefaults: store)
      let variable = WrappedDefault(
        wrappedValue: none, "variable", environment: "URL_TEXT_TESTS", userDefaults: store)
      for _ in 1...2 {
        XCTAssertEqual(argument.wrappedValue, none, "\(store)")
        XCTAssertEqual(list.wrappedValue, [none], "\(store)")
        XCTAssertEqual(variable.wrappedValue, none, "\(store)")
      }
      let issues = recorder.take()
      XCTAssertEqual(issues.map(\.key).prefix(2), ["argument", "list"], "\(store)")
      for issue in issues {
        let words =
          issue.key == "list"
          ? "an array of 2 elements; expected a list in brackets, each a URL"
          : "the string \"relative/path\"; expected a URL"
        XCTAssertTrue(
          "\(issue)".contains(
            """
            : it is \(words), such as https://example.com/ or /path. The setting returns its default
            """), "\(issue)")
      }
      store.setVolatileDomain([:], forName: UserDefaults.argumentDomain)
      store.set("relative/path", forKey: "argument")
      store.set(["relative/path"], forKey: "list")
      XCTAssertEqual(argument.wrappedValue.absoluteURL, path.absoluteURL, "\(store)")
      XCTAssertEqual(list.wrappedValue.map(\.absoluteURL), [path.absoluteURL], "\(store)")
      XCTAssertEqual(recorder.take().map(\.description), [], "\(store)")
    }
  }
}
