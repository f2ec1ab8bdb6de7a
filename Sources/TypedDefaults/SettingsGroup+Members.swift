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

extension WrappedDefault: GroupMember {}

extension WrappedDefaultOptional: GroupMember {}

extension [any DeclaredSetting] {
  var members: [Setting] { compactMap { ($0 as? any GroupMember)?.setting } }
}
