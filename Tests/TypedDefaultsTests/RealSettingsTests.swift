import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// The settings of a real application: those that Rectangle's documentation lists under "Terminal Commands", with the
/// types and defaults that it gives, and a file as `defaults export com.knollsoft.Rectangle` writes it.
final class RealSettingsTests: XCTestCase {
  func testAnExportedFileIsImportedReadChangedAndExportedEqual() throws {
    let settings = Rectangle(in: .inMemory())
    XCTAssertEqual(settings.settings.count, 96)
    let file = Self.file()
    try settings.importData(file)

    XCTAssertTrue(settings.settings.allSatisfy(\.isStored))
    XCTAssertTrue(settings.settings.allSatisfy { $0.source == .stored })
    XCTAssertEqual(settings.subsequentExecutionMode, .cycleDisplaysOrHalves)
    XCTAssertEqual(settings.snapModifiers, [.command, .shift])
    XCTAssertEqual(settings.footprintAlpha, Float(0.3))
    XCTAssertEqual(settings.footprintColor, .init(red: 0, green: 0.5, blue: 0.5))
    XCTAssertEqual(
      settings.topLeftNinth, Rectangle.Shortcut(keyCode: 18, modifierFlags: 917_504))
    XCTAssertEqual(settings.doubleClickTitleBarIgnoredApps?.identifiers, ["com.microsoft.Outlook"])

    XCTAssertEqual(
      try Self.text(settings.exportData()),
      try Self.text(file))
    settings.todo = 0
    settings.$topLeftNinth.reset()
    let changed = try settings.exportData()
    let copy = Rectangle(in: .inMemory())
    try copy.importData(changed)
    XCTAssertEqual(copy.settings.map { $0.text }, settings.settings.map { $0.text })
    XCTAssertEqual(copy.todo, 0)
    XCTAssertNil(copy.topLeftNinth)
    copy.todo = 1
    copy.topLeftNinth = Rectangle.Shortcut(keyCode: 18, modifierFlags: 917_504)
    XCTAssertEqual(try Self.text(copy.exportData()), try Self.text(file))
  }

  /// The file's lines, as Foundation writes them, without the prefix that an export names.
  private static func text(_ file: Data) throws -> String {
    let object = try PropertyListSerialization.propertyList(from: file, format: nil)
    var objects = try XCTUnwrap(object as? [String: Any])
    objects["TypedDefaults"] = nil
    return String(
      decoding: try PropertyListSerialization.data(
        fromPropertyList: objects, format: .xml, options: 0), as: UTF8.self)
  }

  private static func file() -> Data {
    let shortcuts = Rectangle.shortcutNames.enumerated().map { index, name in
      let (keyCode, flags) = name == "topLeftNinth" ? (18, 917_504) : (index + 1, 786_432)
      return """
        <key>\(name)</key><dict><key>keyCode</key><real>\(keyCode)</real>\
        <key>modifierFlags</key><real>\(flags)</real></dict>
        """
    }
    return Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      	<key>almostMaximizeHeight</key>
      	<real>0.89999997615814209</real>
      	<key>almostMaximizeWidth</key>
      	<real>0.89999997615814209</real>
      	<key>alternateDefaultShortcuts</key>
      	<true/>
      	<key>applyGapsToMaximize</key>
      	<integer>2</integer>
      	<key>applyGapsToMaximizeHeight</key>
      	<integer>3</integer>
      	<key>attemptMatchOnNextPrevDisplay</key>
      	<integer>3</integer>
      	<key>autoMaximize</key>
      	<integer>2</integer>
      	<key>centerHalfCycles</key>
      	<integer>2</integer>
      	<key>centeredDirectionalMove</key>
      	<integer>3</integer>
      	<key>curtainChangeSize</key>
      	<integer>1</integer>
      	<key>cyclingOverlapMaxCascade</key>
      	<integer>1</integer>
      	<key>cyclingOverlapOffset</key>
      	<true/>
      	<key>cyclingOverlapOffsetSize</key>
      	<real>11</real>
      	<key>directAnimationNativeResizeApps</key>
      	<string>["com.colliderli.iina","org.videolan.vlc"]</string>
      	<key>doubleClickTitleBar</key>
      	<integer>2</integer>
      	<key>doubleClickTitleBarIgnoredApps</key>
      	<string>["com.microsoft.Outlook"]</string>
      	<key>doubleClickTitleBarRestore</key>
      	<integer>3</integer>
      	<key>enhancedUI</key>
      	<integer>2</integer>
      	<key>footprintAlpha</key>
      	<real>0.30000001192092896</real>
      	<key>footprintAnimationDurationMultiplier</key>
      	<real>0</real>
      	<key>footprintBorderWidth</key>
      	<real>2</real>
      	<key>footprintColor</key>
      	<string>{"blue":0.5,"green":0.5,"red":0}</string>
      	<key>footprintFade</key>
      	<integer>2</integer>
      	<key>halvesPreserveOtherAxisSize</key>
      	<true/>
      	<key>ignoredSnapAreas</key>
      	<integer>1</integer>
      	<key>minimumWindowHeight</key>
      	<real>0.25</real>
      	<key>minimumWindowWidth</key>
      	<real>0.25</real>
      	<key>missionControlDragging</key>
      	<integer>3</integer>
      	<key>missionControlDraggingAllowedOffscreenDistance</key>
      	<real>25</real>
      	<key>missionControlDraggingDisallowedDuration</key>
      	<integer>1</integer>
      	<key>moveCursor</key>
      	<integer>1</integer>
      	<key>moveFixedSizeToEdge</key>
      	<integer>2</integer>
      	<key>repeatedMaximizeRestoresPrevious</key>
      	<true/>
      	<key>resizeOnDirectionalMove</key>
      	<true/>
      	<key>screenEdgeGapBottom</key>
      	<integer>3</integer>
      	<key>screenEdgeGapLeft</key>
      	<integer>1</integer>
      	<key>screenEdgeGapRight</key>
      	<integer>2</integer>
      	<key>screenEdgeGapTop</key>
      	<integer>2</integer>
      	<key>screenEdgeGapTopNotch</key>
      	<integer>3</integer>
      	<key>screenEdgeGapsOnMainScreenOnly</key>
      	<true/>
      	<key>screensOrderedByX</key>
      	<integer>1</integer>
      	<key>sixthsSnapArea</key>
      	<true/>
      	<key>sizeOffset</key>
      	<real>30</real>
      	<key>smallerShrinksMaximizedHeight</key>
      	<true/>
      	<key>snapEdgeMarginBottom</key>
      	<integer>2</integer>
      	<key>snapEdgeMarginLeft</key>
      	<integer>3</integer>
      	<key>snapEdgeMarginRight</key>
      	<integer>1</integer>
      	<key>snapEdgeMarginTop</key>
      	<integer>1</integer>
      	<key>snapModifiers</key>
      	<integer>1179648</integer>
      	<key>specifiedHeight</key>
      	<real>1050</real>
      	<key>specifiedWidth</key>
      	<real>1680</real>
      	<key>stackBadge</key>
      	<true/>
      	<key>stageSize</key>
      	<real>190</real>
      	<key>subsequentExecutionMode</key>
      	<integer>3</integer>
      	<key>todo</key>
      	<integer>1</integer>
      	<key>unsnapRestore</key>
      	<integer>2</integer>
      	<key>unsnapRestoreFromSizeChange</key>
      	<integer>3</integer>
      \(shortcuts.joined(separator: "\n"))
      </dict>
      </plist>
      """.utf8)
  }
}
