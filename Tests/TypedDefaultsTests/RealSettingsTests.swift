import Foundation
import TypedDefaults
import XCTest

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
      settings.topLeftNinth, Shortcut(keyCode: 18, modifierFlags: 917_504))
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
    copy.topLeftNinth = Shortcut(keyCode: 18, modifierFlags: 917_504)
    XCTAssertEqual(try Self.text(copy.exportData()), try Self.text(file))
  }

  /// The file's lines, as Foundation writes them.
  private static func text(_ file: Data) throws -> String {
    let object = try PropertyListSerialization.propertyList(from: file, format: nil)
    return String(
      decoding: try PropertyListSerialization.data(
        fromPropertyList: object, format: .xml, options: 0), as: UTF8.self)
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

/// What happens when a command is repeated.
private enum ExecutionMode: Int, UserDefaultsSerializable {
  case halvesToThirds, cycleDisplays, disabled, cycleDisplaysOrHalves, repeatOnNextDisplay
}

private struct Modifiers: OptionSet, UserDefaultsSerializable {
  var rawValue: Int
  static let shift = Self(rawValue: 131_072)
  static let command = Self(rawValue: 1_048_576)
}

/// Stored as a dictionary.
private struct Shortcut: Equatable, UserDefaultsSerializable {
  var keyCode: Float
  var modifierFlags: Float

  init(keyCode: Float, modifierFlags: Float) {
    (self.keyCode, self.modifierFlags) = (keyCode, modifierFlags)
  }

  var storedValue: [String: Float] { ["keyCode": keyCode, "modifierFlags": modifierFlags] }

  init?(storedValue: [String: Float]) {
    guard let keyCode = storedValue["keyCode"], let flags = storedValue["modifierFlags"] else {
      return nil
    }
    self.init(keyCode: keyCode, modifierFlags: flags)
  }
}

private struct Color: Codable, Equatable, UserDefaultsSerializable {
  var red: Double
  var green: Double
  var blue: Double
}

/// Stored as a JSON list.
private struct Apps: Codable, UserDefaultsSerializable {
  var identifiers: [String]

  init(from decoder: any Decoder) throws {
    identifiers = try decoder.singleValueContainer().decode([String].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifiers)
  }
}

private struct Rectangle: SettingsGroup {
  @WrappedDefault("alternateDefaultShortcuts") var alternateDefaultShortcuts = false
  @WrappedDefault("resizeOnDirectionalMove") var resizeOnDirectionalMove = false
  @WrappedDefault("halvesPreserveOtherAxisSize") var halvesPreserveOtherAxisSize = false
  @WrappedDefault("repeatedMaximizeRestoresPrevious") var repeatedMaximizeRestoresPrevious = false
  @WrappedDefault("smallerShrinksMaximizedHeight") var smallerShrinksMaximizedHeight = false
  @WrappedDefault("screenEdgeGapsOnMainScreenOnly") var screenEdgeGapsOnMainScreenOnly = false
  @WrappedDefault("sixthsSnapArea") var sixthsSnapArea = false
  @WrappedDefault("cyclingOverlapOffset") var cyclingOverlapOffset = false
  @WrappedDefault("stackBadge") var stackBadge = false
  @WrappedDefault("subsequentExecutionMode") var subsequentExecutionMode = ExecutionMode
    .halvesToThirds
  @WrappedDefault("centerHalfCycles") var centerHalfCycles = 0
  @WrappedDefault("todo") var todo = 0
  @WrappedDefault("snapModifiers") var snapModifiers: Modifiers = []
  @WrappedDefault("footprintFade") var footprintFade = 0
  @WrappedDefault("centeredDirectionalMove") var centeredDirectionalMove = 0
  @WrappedDefault("curtainChangeSize") var curtainChangeSize = 0
  @WrappedDefault("unsnapRestore") var unsnapRestore = 0
  @WrappedDefault("unsnapRestoreFromSizeChange") var unsnapRestoreFromSizeChange = 0
  @WrappedDefault("snapEdgeMarginTop") var snapEdgeMarginTop = 5
  @WrappedDefault("snapEdgeMarginBottom") var snapEdgeMarginBottom = 5
  @WrappedDefault("snapEdgeMarginLeft") var snapEdgeMarginLeft = 5
  @WrappedDefault("snapEdgeMarginRight") var snapEdgeMarginRight = 5
  @WrappedDefault("screenEdgeGapTop") var screenEdgeGapTop = 0
  @WrappedDefault("screenEdgeGapBottom") var screenEdgeGapBottom = 0
  @WrappedDefault("screenEdgeGapLeft") var screenEdgeGapLeft = 0
  @WrappedDefault("screenEdgeGapRight") var screenEdgeGapRight = 0
  @WrappedDefault("screenEdgeGapTopNotch") var screenEdgeGapTopNotch = 0
  @WrappedDefault("ignoredSnapAreas") var ignoredSnapAreas = 0
  @WrappedDefault("applyGapsToMaximize") var applyGapsToMaximize = 0
  @WrappedDefault("applyGapsToMaximizeHeight") var applyGapsToMaximizeHeight = 0
  @WrappedDefault("moveCursor") var moveCursor = 0
  @WrappedDefault("enhancedUI") var enhancedUI = 4
  @WrappedDefault("missionControlDragging") var missionControlDragging = 0
  @WrappedDefault("missionControlDraggingDisallowedDuration")
  var missionControlDraggingDisallowedDuration = 250
  @WrappedDefault("doubleClickTitleBar") var doubleClickTitleBar = 0
  @WrappedDefault("doubleClickTitleBarRestore") var doubleClickTitleBarRestore = 0
  @WrappedDefault("screensOrderedByX") var screensOrderedByX = 0
  @WrappedDefault("autoMaximize") var autoMaximize = 0
  @WrappedDefault("attemptMatchOnNextPrevDisplay") var attemptMatchOnNextPrevDisplay = 0
  @WrappedDefault("cyclingOverlapMaxCascade") var cyclingOverlapMaxCascade = 1
  @WrappedDefault("moveFixedSizeToEdge") var moveFixedSizeToEdge = 1
  @WrappedDefault("stageSize") var stageSize: Float = 190
  @WrappedDefault("almostMaximizeHeight") var almostMaximizeHeight: Float = 0.9
  @WrappedDefault("almostMaximizeWidth") var almostMaximizeWidth: Float = 0.9
  @WrappedDefault("specifiedHeight") var specifiedHeight: Float = 1050
  @WrappedDefault("specifiedWidth") var specifiedWidth: Float = 1680
  @WrappedDefault("footprintAlpha") var footprintAlpha: Float = 0.3
  @WrappedDefault("footprintBorderWidth") var footprintBorderWidth: Float = 2
  @WrappedDefault("footprintAnimationDurationMultiplier")
  var footprintAnimationDurationMultiplier: Float = 0
  @WrappedDefault("minimumWindowWidth") var minimumWindowWidth: Float = 0.25
  @WrappedDefault("minimumWindowHeight") var minimumWindowHeight: Float = 0.25
  @WrappedDefault("sizeOffset") var sizeOffset: Float = 30
  @WrappedDefault("missionControlDraggingAllowedOffscreenDistance")
  var missionControlDraggingAllowedOffscreenDistance: Float = 25
  @WrappedDefault("cyclingOverlapOffsetSize") var cyclingOverlapOffsetSize: Float = 11
  @WrappedDefaultOptional("footprintColor") var footprintColor: Color?
  @WrappedDefaultOptional("doubleClickTitleBarIgnoredApps")
  var doubleClickTitleBarIgnoredApps: Apps?
  @WrappedDefaultOptional("directAnimationNativeResizeApps")
  var directAnimationNativeResizeApps: Apps?
  @WrappedDefaultOptional("specified") var specified: Shortcut?
  @WrappedDefaultOptional("centerProminently") var centerProminently: Shortcut?
  @WrappedDefaultOptional("largerWidth") var largerWidth: Shortcut?
  @WrappedDefaultOptional("smallerWidth") var smallerWidth: Shortcut?
  @WrappedDefaultOptional("largerHeight") var largerHeight: Shortcut?
  @WrappedDefaultOptional("smallerHeight") var smallerHeight: Shortcut?
  @WrappedDefaultOptional("topLeftNinth") var topLeftNinth: Shortcut?
  @WrappedDefaultOptional("topCenterNinth") var topCenterNinth: Shortcut?
  @WrappedDefaultOptional("topRightNinth") var topRightNinth: Shortcut?
  @WrappedDefaultOptional("middleLeftNinth") var middleLeftNinth: Shortcut?
  @WrappedDefaultOptional("middleCenterNinth") var middleCenterNinth: Shortcut?
  @WrappedDefaultOptional("middleRightNinth") var middleRightNinth: Shortcut?
  @WrappedDefaultOptional("bottomLeftNinth") var bottomLeftNinth: Shortcut?
  @WrappedDefaultOptional("bottomCenterNinth") var bottomCenterNinth: Shortcut?
  @WrappedDefaultOptional("bottomRightNinth") var bottomRightNinth: Shortcut?
  @WrappedDefaultOptional("topLeftEighth") var topLeftEighth: Shortcut?
  @WrappedDefaultOptional("topCenterLeftEighth") var topCenterLeftEighth: Shortcut?
  @WrappedDefaultOptional("topCenterRightEighth") var topCenterRightEighth: Shortcut?
  @WrappedDefaultOptional("topRightEighth") var topRightEighth: Shortcut?
  @WrappedDefaultOptional("bottomLeftEighth") var bottomLeftEighth: Shortcut?
  @WrappedDefaultOptional("bottomCenterLeftEighth") var bottomCenterLeftEighth: Shortcut?
  @WrappedDefaultOptional("bottomCenterRightEighth") var bottomCenterRightEighth: Shortcut?
  @WrappedDefaultOptional("bottomRightEighth") var bottomRightEighth: Shortcut?
  @WrappedDefaultOptional("topLeftThird") var topLeftThird: Shortcut?
  @WrappedDefaultOptional("topRightThird") var topRightThird: Shortcut?
  @WrappedDefaultOptional("bottomLeftThird") var bottomLeftThird: Shortcut?
  @WrappedDefaultOptional("bottomRightThird") var bottomRightThird: Shortcut?
  @WrappedDefaultOptional("doubleHeightUp") var doubleHeightUp: Shortcut?
  @WrappedDefaultOptional("doubleHeightDown") var doubleHeightDown: Shortcut?
  @WrappedDefaultOptional("doubleWidthLeft") var doubleWidthLeft: Shortcut?
  @WrappedDefaultOptional("doubleWidthRight") var doubleWidthRight: Shortcut?
  @WrappedDefaultOptional("halveHeightUp") var halveHeightUp: Shortcut?
  @WrappedDefaultOptional("halveHeightDown") var halveHeightDown: Shortcut?
  @WrappedDefaultOptional("halveWidthLeft") var halveWidthLeft: Shortcut?
  @WrappedDefaultOptional("halveWidthRight") var halveWidthRight: Shortcut?
  @WrappedDefaultOptional("tileAll") var tileAll: Shortcut?
  @WrappedDefaultOptional("cascadeAll") var cascadeAll: Shortcut?
  @WrappedDefaultOptional("cascadeActiveApp") var cascadeActiveApp: Shortcut?
  @WrappedDefaultOptional("tileActiveApp") var tileActiveApp: Shortcut?

  static let shortcutNames = [
    "specified", "centerProminently", "largerWidth", "smallerWidth", "largerHeight",
    "smallerHeight", "topLeftNinth", "topCenterNinth", "topRightNinth", "middleLeftNinth",
    "middleCenterNinth", "middleRightNinth", "bottomLeftNinth", "bottomCenterNinth",
    "bottomRightNinth", "topLeftEighth", "topCenterLeftEighth", "topCenterRightEighth",
    "topRightEighth", "bottomLeftEighth", "bottomCenterLeftEighth", "bottomCenterRightEighth",
    "bottomRightEighth", "topLeftThird", "topRightThird", "bottomLeftThird", "bottomRightThird",
    "doubleHeightUp", "doubleHeightDown", "doubleWidthLeft", "doubleWidthRight", "halveHeightUp",
    "halveHeightDown", "halveWidthLeft", "halveWidthRight", "tileAll", "cascadeAll",
    "cascadeActiveApp", "tileActiveApp",
  ]
}
