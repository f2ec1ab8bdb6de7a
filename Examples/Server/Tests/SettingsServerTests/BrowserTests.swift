import Foundation
import SettingsServer
import TypedDefaults
import XCTest

/// The page in a browser.
final class BrowserTests: XCTestCase {
  func testThePageFollowsChangesByAnyone() async throws {
    let folder = try Folder()
    let file = ServerProcess.file(in: folder)
    let server = try ServerProcess(
      ["-greeting", "Welcome"], environment: ["SERVER_LOG_LEVEL": "warning"], in: folder)
    try await Browser.run { browser in
      let base = "http://127.0.0.1:\(server.port)"
      try await browser.open("\(base)/settings")
      try await browser.wait(for: "document.getElementById('state').textContent == 'Live'")
      let rows = try await browser.value("document.querySelectorAll('.row').length")
      XCTAssertEqual(rows, "\(ServerSettings(in: .inMemory()).settings.count)")
      let greeting = try await browser.value("document.getElementById('value-greeting').disabled")
      XCTAssertEqual(greeting, "true")

      // A switch.
      try await browser.click("#value-maintenance")
      try await browser.wait(
        for: "document.getElementById('value-maintenance').ariaChecked == 'true'")
      try await Visitor.visit(port: server.port) { visitor in
        let answer = try await visitor.get("/")
        XCTAssertEqual(answer.status, .serviceUnavailable)
      }

      // A menu changes the page itself.
      try await browser.click("#value-theme option:nth-child(3)")
      try await browser.wait(for: "document.documentElement.dataset.theme == 'dark'")
      let ground = try await browser.value("getComputedStyle(document.body).backgroundColor")
      XCTAssertEqual(ground, "rgb(15, 17, 21)")

      // A number that is out of range.
      try await browser.type("86401\(Browser.enter)", into: "#value-cacheSeconds")
      try await browser.wait(for: "document.getElementById('error-cacheSeconds') != null")
      let message = try await browser.value(
        "document.getElementById('error-cacheSeconds').textContent")
      XCTAssertTrue(message.contains("expected an integer from 0 to 86400"), message)
      let typed = try await browser.value("document.getElementById('value-cacheSeconds').value")
      XCTAssertEqual(typed, "86401")
      try await browser.keepPicture("invalid")
      try await browser.type("120\(Browser.enter)", into: "#value-cacheSeconds")
      try await browser.wait(
        for: "document.querySelector('#row-cacheSeconds .badge').textContent == 'stored'")
      let hasError = try await browser.value(
        "document.getElementById('error-cacheSeconds') != null")
      XCTAssertEqual(hasError, "false")

      // An edit of the file, while somebody types into another field.
      try await browser.type("half typ", into: "#value-folder")
      let text = try String(contentsOf: file, encoding: .utf8)
      XCTAssertTrue(text.contains("<integer>120</integer>"))
      let edited = text.replacing("<integer>120</integer>", with: "<integer>4321</integer>")
        .replacing(
          "</dict>",
          with: "<key>cacheSecond</key><true/><key>folder</key><string>/tmp</string></dict>")
      try Data(edited.utf8).write(to: file, options: .atomic)
      let time = try await browser.wait(
        for: "document.getElementById('value-cacheSeconds').value == '4321'")
      XCTAssertLessThan(time, .seconds(1))
      try await browser.wait(
        for: "document.getElementById('unknown').textContent.includes('cacheSecond')")
      let half = try await browser.value("document.getElementById('value-folder').value")
      XCTAssertEqual(half, "half typ")
      try await browser.type(Browser.escape, into: "#value-folder")
      try await browser.wait(
        for: "document.getElementById('value-folder').value.startsWith('/tmp')")
      try await browser.keepPicture("dark")

      // A reset, and one of all.
      try await browser.click("#row-cacheSeconds .reset button")
      try await browser.wait(
        for: "document.getElementById('value-cacheSeconds').value == '60'")
      try await browser.click("summary")
      try await browser.click(".danger")
      try await browser.wait(for: "document.querySelectorAll('.reset').length == 0")
      try await browser.wait(for: "document.documentElement.dataset.theme == 'system'")
      try await browser.keepPicture("light")
      try await browser.resize(width: 420, height: 2_200)
      let overflow = try await browser.value(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth")
      XCTAssertEqual(overflow, "false")
      try await browser.keepPicture("narrow")
    }
    XCTAssertEqual(server.stop(), 0)
  }

  func testTwoPagesAndASignInShareOneSession() async throws {
    let folder = try Folder()
    let server = try ServerProcess(in: folder)
    try await Browser.run { browser in
      let base = "http://127.0.0.1:\(server.port)"
      try await browser.open("\(base)/settings")
      try await browser.type("correct horse\(Browser.enter)", into: "#value-adminPassword")
      try await browser.wait(
        for: "document.querySelector('#row-adminPassword .badge').textContent == 'stored'")
      // The page has another stream after the new cookie, and stays.
      try await browser.wait(for: "document.getElementById('state').textContent == 'Live'")
      try await browser.open("\(base)/settings")
      try await browser.wait(for: "document.getElementById('value-cacheSeconds') != null")
      try await browser.click("header form button")
      try await browser.wait(for: "document.getElementById('password') != null")
      try await browser.keepPicture("sign-in")
      try await browser.type("wrong\(Browser.enter)", into: "#password")
      try await browser.wait(for: "document.querySelector('.error') != null")
      try await browser.type("correct horse\(Browser.enter)", into: "#password")
      try await browser.wait(for: "document.getElementById('value-cacheSeconds') != null")
      let source = try await browser.value("document.documentElement.outerHTML.includes('horse')")
      XCTAssertEqual(source, "false")
    }
    XCTAssertEqual(server.stop(), 0)
  }

  func testWithoutScriptsTheFormsWork() async throws {
    let folder = try Folder()
    let server = try ServerProcess(in: folder)
    try await Browser.run { browser in
      try await browser.turnScriptsOff()
      try await browser.open("http://127.0.0.1:\(server.port)/settings")
      let state = try await browser.value("document.getElementById('state').hidden")
      XCTAssertEqual(state, "true")
      try await browser.click("#value-maintenance")
      try await browser.wait(
        for: "document.getElementById('value-maintenance').ariaChecked == 'true'")
      try await browser.type("soon", into: "#value-folder")
      try await browser.click("#row-folder .save")
      try await browser.wait(
        for: "document.querySelector('#row-folder .badge').textContent == 'stored'")
      try await browser.type("{", into: "#value-headers")
      try await browser.click("#row-headers .save")
      try await browser.wait(for: "document.getElementById('error-headers') != null")
      let typed = try await browser.value("document.getElementById('value-headers').value")
      XCTAssertEqual(typed, "{")
      try await browser.keepPicture("without-scripts")
      try await browser.click("#row-folder .reset button")
      try await browser.wait(
        for: "document.querySelector('#row-folder .badge').textContent == 'default'")
    }
    XCTAssertEqual(server.stop(), 0)
  }

  func testAPageOfTheFolderHasAnOriginOfItsOwn() async throws {
    let folder = try Folder()
    try folder.write("<title>x</title><script>document.title = 'ran'</script>", to: "public/a.html")
    let server = try ServerProcess(
      ["-folder", folder.url.appending(path: "public").path], in: folder)
    try await Browser.run { browser in
      // A page of the folder may run its scripts, but they reach nothing of the settings page.
      try await browser.open("http://127.0.0.1:\(server.port)/a.html")
      try await browser.wait(for: "document.title == 'ran'")
      let origin = try await browser.value("self.origin")
      XCTAssertEqual(origin, "null")
    }
    XCTAssertEqual(server.stop(), 0)
  }
}
