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
  return container(value).map(settings) ?? []
}

/// Returns the mirror of a value that may contain settings; nil for others.
private func container(_ value: Any) -> Mirror? {
  // Values of settings, such as a long list of numbers, contain none.
  if value is any UserDefaultsSerializable { return nil }
  let mirror = Mirror(reflecting: value)
  return switch mirror.displayStyle {
  case .struct, .tuple, .optional, .collection, .dictionary, .set: mirror
  default: nil
  }
}

/// Returns the first setting of a group that has a property. To look at all would take as long as to
/// make the group.
func firstSetting(of mirror: Mirror, where hasProperty: (Setting) -> Bool) -> Setting? {
  func first(in value: Any) -> Setting? {
    if let setting = (value as? any GroupMember)?.setting {
      return hasProperty(setting) ? setting : nil
    }
    let mirror = value is any SettingsGroup ? Mirror(reflecting: value) : container(value)
    return mirror.flatMap { firstSetting(of: $0, where: hasProperty) }
  }
  if let inherited = mirror.superclassMirror,
    let setting = firstSetting(of: inherited, where: hasProperty)
  {
    return setting
  }
  for child in mirror.children { if let setting = first(in: child.value) { return setting } }
  return nil
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
