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
  /// as in the group. A setting that names its own store is in memory too, and each store is copied at a
  /// moment of its own. A value that cannot be read is reported by each snapshot that reads it. Other
  /// properties have the values that `init()` gives them.
  ///
  /// On Apple platforms, and in a subclass of `UserDefaults`, each setting is read by itself, and another
  /// change may come between.
  ///
  /// - Returns: A group that writes to no store but its own.
  public func snapshot() -> Self {
    DeclaringGroup.snapshot(of: settings.members) { Self() }
  }

  /// Calls a function after each change of any of the settings.
  ///
  /// ```swift
  /// let observation = settings.onChange { changed in
  ///   print("changed:", changed.map(\.key))
  /// }
  /// ```
  ///
  /// After a transaction or a save of another process it is called once or more. Calls for one setting keep
  /// the rules of threads and order of ``DeclaredSetting/onChange(_:)``; those for two settings may come
  /// at once, on two threads.
  ///
  /// - Parameter body: A function that receives settings whose values differ from before.
  /// - Returns: The observation, which ends when you release it.
  public func onChange(
    _ body: @escaping @Sendable (_ changed: [any DeclaredSetting]) -> Void
  ) -> SettingObservation {
    func observe(_ setting: some DeclaredSetting) -> SettingObservation {
      setting.onChange { _, _ in body([setting]) }
    }
    let observations = settings.map { observe($0) }
    return SettingObservation { for observation in observations { observation.cancel() } }
  }
}
