#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation

  // How raw changes are found, which nobody announces. All is called under the lock of the values.
  extension FileSuite {
    /// What Foundation holds as the suite's, and whether that is all.
    typealias Domain = (objects: [String: PropertyListObject], isWhole: Bool)

    func readDomain() -> Domain {
      var objects: [String: Any]?
      let isWhole = SystemError.opens(saver!.file.path) {
        objects = suite.instance.persistentDomain(forName: domain)
      }
      return ((objects ?? [:]).mapValues { PropertyListObject($0) }, isWhole)
    }

    /// Looks at a key, and adopts what a raw call has changed.
    ///
    /// - Returns: What the key shows, be it of another domain.
    @discardableResult
    func look(at key: String, _ values: inout StoredValues, in userDefaults: UserDefaults)
      -> PropertyListObject?
    {
      let visible = userDefaults.object(forKey: key).map(PropertyListObject.init)
      adopt(visible, key, &values, in: userDefaults)
      return visible
    }

    /// Adopts what a raw call has changed, of what a key shows.
    func adopt(
      _ visible: PropertyListObject?, _ key: String, _ values: inout StoredValues,
      in userDefaults: UserDefaults
    ) {
      // Only the domain tells whether what equals the default is still stored.
      if visible == mirror.shown[key], visible == nil || visible != keys.first(of: key)?.default {
        return mirror.compare(key, values)
      }
      let sight = sight(of: key, visible, in: readDomain(), userDefaults)
      if mirror.look(at: key, sight, &values) { adoptRemoval(of: key, &values) }
    }

    private func adoptRemoval(of key: String, _ values: inout StoredValues) {
      mirror.adoptRemoval(of: key, &values)
      // The registered default may be what showed before.
      forgetDecoded(CollectionOfOne(key))
    }

    /// Returns what is stored, of what the accessors of `UserDefaults` return.
    func sight(
      of key: String, _ visible: PropertyListObject?, in domain: Domain,
      _ userDefaults: UserDefaults
    ) -> FoundationMirror.Sight {
      guard let visible else { return .nothing }
      let shown = mirror.shown[key]
      // Without its file, a domain may list what it does not show, and loses later.
      let inDomain = shown != nil || domain.isWhole ? domain.objects[key] : nil
      let absent: FoundationMirror.Sight = shown == nil || domain.isWhole ? .nothing : .unknown
      if userDefaults.argument(key) != nil {
        guard domain.isWhole else { return .unknown }
        // A Boolean of a domain is a number of Foundation's.
        return inDomain.map { .object($0 == visible ? visible : $0, isHidden: true) }
          ?? (shown == nil ? .nothing : .unknown)
      }
      let isDefault = { visible == UserDefaults.registeredObject(key) }
      if inDomain == visible, domain.isWhole || !isDefault() { return .object(visible) }
      if isDefault() {
        return visible == shown || mirror.behind.contains(key) ? absent : .nothing
      }
      // Otherwise it is of another domain.
      let isStored = inDomain != nil || visible == shown || !domain.isWhole
      return isStored ? .object(visible) : .nothing
    }

    /// Looks for the first time. What Foundation lacks is removed by a raw call before the library was
    /// used, unless its file could not be opened.
    func lookFirst(_ values: inout StoredValues, in userDefaults: UserDefaults) {
      let domain = readDomain()
      for (key, object) in values.objects {
        mirror.note(domain.isWhole ? object : nil, key, values)
      }
      adoptRawChanges(&values, of: domain, in: userDefaults)
      isLoaded = true
    }

    /// Looks at all keys, and adopts what raw calls have changed.
    ///
    /// - Returns: The keys that are changed.
    @discardableResult
    func adoptRawChanges(
      _ values: inout StoredValues, of domain: Domain? = nil, in userDefaults: UserDefaults
    ) -> [String] {
      lookAtAll(&values, of: domain ?? readDomain(), in: userDefaults) { key, sight, values in
        if sight == .nothing { adoptRemoval(of: key, &values) }
      }
    }

    /// - Parameter noteMissing: Called with the keys that show nothing any more, or may not.
    /// - Returns: The keys that show another object.
    private func lookAtAll(
      _ values: inout StoredValues, of domain: Domain, in userDefaults: UserDefaults,
      noteMissing: (String, FoundationMirror.Sight, inout StoredValues) -> Void
    ) -> [String] {
      hasUnseenSet = false
      return Set(domain.objects.keys).union(mirror.shown.keys).filter { key in
        let ours = values[key]
        guard mirror.shown[key] != domain.objects[key] else {
          mirror.compare(key, values)
          return false
        }
        let visible = userDefaults.object(forKey: key).map(PropertyListObject.init)
        let sight = sight(of: key, visible, in: domain, userDefaults)
        let isMissing = mirror.look(at: key, sight, &values)
        if isMissing || sight == .unknown { noteMissing(key, sight, &values) }
        return ours != values[key]
      }
    }

    // MARK: What the file tells

    /// Adopts what raw calls have changed before a notification of Foundation's, which a call for a whole
    /// domain posts. Where the file cannot be opened, such a call forgets what there was. So only what the
    /// file lacks, too, is removed. All listeners are told after this.
    func hearNotification() {
      if Fork.isChild { return }
      let domain: Domain? = memory.values.withLock { values in
        guard isLoaded else { return nil }
        let domain = readDomain()
        if !domain.isWhole { mirror.doubtAll(but: [:]) }
        _ = lookAtAll(&values, of: domain, in: suite.instance) { key, _, _ in
          if domain.isWhole, mirror.refused[key] == nil { missing.insert(key) }
        }
        values.makeRawSetsDue()
        // Where nothing is left that it has, Foundation removes the file.
        if !domain.isWhole, !saver!.file.path.exists { values.makeFileDue() }
        missing.formUnion(values.rawRemovals)
        return domain
      }
      guard let domain else { return }
      let isRead = (try? saver!.readAndMerge(isTold: true)) != nil
      memory.values.withLock { _ in
        missing = []
        mirror.doubtAll(but: isRead && domain.isWhole ? domain.objects : [:])
      }
      saver?.schedule()
    }
  }
#endif
