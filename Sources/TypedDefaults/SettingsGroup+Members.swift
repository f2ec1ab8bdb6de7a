/// Returns the settings of a group, or of another value that may contain settings.
func settings(of mirror: Mirror) -> [any DeclaredSetting] {
  let inherited = mirror.superclassMirror.map(settings) ?? []
  let parts = mirror.children.map { settings(in: $0.value) }
  // The order of such a collection differs from run to run.
  let isUnordered = mirror.displayStyle == .dictionary || mirror.displayStyle == .set
  return inherited
    + (isUnordered ? parts.sorted { ($0.first?.key ?? "") < ($1.first?.key ?? "") } : parts)
    .joined()
}

private func settings(in value: Any) -> [any DeclaredSetting] {
  if let setting = value as? any DeclaredSetting { return [setting] }
  if let group = value as? any SettingsGroup { return group.settings }
  // Values of settings, such as a long list of numbers, contain none.
  if value is any UserDefaultsSerializable { return [] }
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .struct, .tuple, .optional, .collection, .dictionary, .set: return settings(of: mirror)
  default: return []
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
