import Foundation
import TypedDefaults
import XCTest

/// The settings that Rectangle's documentation lists under "Terminal Commands".
struct Rectangle: SettingsGroup {
  /// What happens when a command is repeated.
  enum ExecutionMode: Int, UserDefaultsSerializable {
    case halvesToThirds, cycleDisplays, disabled, cycleDisplaysOrHalves, repeatOnNextDisplay
  }

  struct Modifiers: OptionSet, UserDefaultsSerializable {
    var rawValue: Int
    static let shift = Self(rawValue: 131_072)
    static let command = Self(rawValue: 1_048_576)
  }

  /// Stored as a dictionary.
  struct Shortcut: Equatable, UserDefaultsSerializable {
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

  struct Color: Codable, Equatable, UserDefaultsSerializable {
    var red: Double
    var green: Double
    var blue: Double
  }

  /// Stored as a JSON list.
  struct Apps: Codable, UserDefaultsSerializable {
    var identifiers: [String]

    init(from decoder: any Decoder) throws {
      identifiers = try decoder.singleValueContainer().decode([String].self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(identifiers)
    }
  }

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
