/// Returns the settings among the values that a mirror shows, those of the superclass first.
func settings(in mirror: Mirror) -> [any DeclaredSetting] {
  let inherited = mirror.superclassMirror.map(settings(in:)) ?? []
  var found = mirror.children.map { settings(in: $0.value) }
  // Their order differs from run to run.
  if mirror.displayStyle == .dictionary || mirror.displayStyle == .set {
    found.sort { ($0.first?.key ?? "") < ($1.first?.key ?? "") }
  }
  return inherited + found.joined()
}

private func settings(in value: Any) -> [any DeclaredSetting] {
  if let setting = value as? any DeclaredSetting { return [setting] }
  if let group = value as? any SettingsGroup { return group.settings }
  // Values of settings, such as a long list of numbers, contain none.
  if value is any UserDefaultsSerializable { return [] }
  let mirror = Mirror(reflecting: value)
  return switch mirror.displayStyle {
  case .struct, .tuple, .optional, .collection, .dictionary, .set: settings(in: mirror)
  default: []
  }
}

/// A setting of any type, as its group uses it.
private protocol GroupMember {
  var setting: Setting { get }
}

extension WrappedDefault: GroupMember {}

extension WrappedDefaultOptional: GroupMember {}

extension [any DeclaredSetting] {
  var members: [Setting] { compactMap { ($0 as? any GroupMember)?.setting } }
}
