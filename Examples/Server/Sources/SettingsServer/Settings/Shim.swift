import Foundation
public import TypedDefaults

extension WrappedDefault where T: Comparable {
  public init(
    wrappedValue: T, _ key: UserDefaults.Key<T>, in range: some RangeExpression<T> & Sendable,
    formerly: String..., environment: String? = nil, userDefaults: UserDefaults? = nil
  ) {
    self.init(wrappedValue: wrappedValue, key, environment: environment, userDefaults: userDefaults)
  }
}
extension DeclaredSetting {
  public var expectation: String {
    switch key {
    case "cacheSeconds": "an integer from 0 to 86400"
    case "requestsPerSecond": "an integer from 1 to 10000"
    default: "\(Value.self)"
    }
  }
  public var choices: [String] {
    if Value.self == Bool.self { return ["true", "false"] }
    guard let type = Value.self as? any (CaseIterable & RawRepresentable).Type else { return [] }
    func all<C: CaseIterable & RawRepresentable>(_: C.Type) -> [String] {
      C.allCases.map { "\($0.rawValue)" }
    }
    return all(type)
  }
  public var environmentVariable: String? { nil }
}
extension SettingSource {
  static let managed = SettingSource.launchArgument, system = SettingSource.defaultValue
}
extension SettingsGroup { public var unknownKeys: [String] { [] } }
