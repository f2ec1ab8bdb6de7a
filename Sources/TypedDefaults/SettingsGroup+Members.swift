/// Returns the settings in the parts of a value.
func settings(of parts: Parts) -> [any DeclaredSetting] {
  let found = parts.values.map { settings(in: $0) }
  let sorted =
    parts.isUnordered ? found.sorted { ($0.first?.key ?? "") < ($1.first?.key ?? "") } : found
  return Array(sorted.joined())
}

private func settings(in value: Any) -> [any DeclaredSetting] {
  if let setting = value as? any DeclaredSetting { return [setting] }
  if let group = value as? any SettingsGroup { return group.settings }
  return Parts(ofContainer: value).map(settings(of:)) ?? []
}

/// Returns the first setting of a group that has a property. To look at all would take as long as to
/// make the group.
func firstSetting(of parts: Parts, where hasProperty: (Setting) -> Bool) -> Setting? {
  for value in parts.values {
    if let setting = (value as? any GroupMember)?.setting {
      if hasProperty(setting) { return setting }
      continue
    }
    let parts = value is any SettingsGroup ? Parts(of: value) : Parts(ofContainer: value)
    if let found = parts.flatMap({ firstSetting(of: $0, where: hasProperty) }) { return found }
  }
  return nil
}

extension WrappedDefault: GroupMember {}

extension WrappedDefaultOptional: GroupMember {}

extension [any DeclaredSetting] {
  var members: [Setting] { compactMap { ($0 as? any GroupMember)?.setting } }
}
