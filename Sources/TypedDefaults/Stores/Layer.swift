/// A layer that the value of a setting may come from. An upper layer hides those beneath.
///
/// A store names its layers in their order, and returns the objects of each. All else follows from
/// the layer: the source of a value, the words of a message, and what counts as stored.
struct Layer: Equatable, Sendable {
  let source: SettingSource
  /// The words before and after the name of a key.
  private let before, after: String
  /// What to do about an object that cannot be decoded; empty if that depends on the setting.
  let advice: String
  /// The ends of the names of the files in which an administrator keeps the objects, if one does.
  let fileSuffix: String?

  init(
    _ source: SettingSource, _ before: String, _ after: String = "", advice: String = "",
    fileSuffix: String? = nil
  ) {
    self.source = source
    self.before = before
    self.after = after
    self.advice = advice
    self.fileSuffix = fileSuffix
  }

  static let managed = Layer(
    .managed, "The managed value of \"", "\"",
    advice: "An administrator can correct the value.", fileSuffix: ".managed" + FileFormat.suffix)

  static let argument = Layer(
    .launchArgument, "The launch argument -",
    advice: "Correct the argument, or leave it out.")
  static let environment = Layer(
    .environment, "The environment variable ",
    advice: "Correct the variable, or unset it.")
  static let stored = Layer(.stored, "The stored value of \"", "\"")
  static let system = Layer(
    .system, "The system value of \"", "\"",
    advice: "An administrator can correct the value.", fileSuffix: FileFormat.suffix)
  static let registered = Layer(
    .defaultValue, "The registered default of \"", "\"",
    advice: "Register a default that can be read.")

  /// The layers of a store that is kept in a file.
  static let ofFile = [managed, argument, environment, stored, system, registered]

  /// The words for an object of the layer.
  func subject(_ name: String) -> String { before + name + after }
}

/// An object of a setting, with its layer and the name under which it was found.
struct Found: Equatable, Sendable {
  let layer: Layer
  let name: String
  let object: PropertyListObject

  /// Whether a person has typed it.
  var isTyped: Bool { layer == .argument || layer == .environment }
}
