extension SettingsGroup {
  /// Returns the same group in memory, with the values of this moment.
  ///
  /// ```swift
  /// let present = settings.snapshot()
  /// print(present.host, present.port)
  /// ```
  ///
  /// What a ``transaction(_:)`` or a save of another process changes is in the snapshot wholly or not at
  /// all. What changes later, in the group or in the snapshot, stays there. Sources and overrides are
  /// as in the group. A setting that names its own store is in memory too. Other properties have the
  /// values that `init()` gives them.
  ///
  /// On Apple platforms, and in a subclass of `UserDefaults`, each setting is read by itself, and another
  /// change may come between.
  ///
  /// - Returns: A group that writes to no store but its own.
  public func snapshot() -> Self {
    let first = firstSetting(of: Parts(of: self)) { $0.place(of: Self.self) != nil }
    return DeclaringGroup.snapshot(first, all: { settings.members }, make: { Self() })
  }

  /// Calls a function after each change of any of the settings.
  ///
  /// ```swift
  /// let observation = settings.onChange { changed in
  ///   print("changed:", changed.map(\.key))
  /// }
  /// ```
  ///
  /// It is called once for each transaction, each save of another process and each other assignment. It
  /// keeps the rules of threads and order of ``DeclaredSetting/onChange(_:)``.
  ///
  /// - Parameter body: A function that receives the settings whose values differ, in the order of their
  ///   declarations.
  /// - Returns: The observation, which ends when you release it.
  public func onChange(
    _ body: @escaping @Sendable (_ changed: [any DeclaredSetting]) -> Void
  ) -> SettingObservation {
    let settings = settings
    return Setting.onChange(of: settings.members) { changed in body(changed.map { settings[$0] }) }
  }
}
