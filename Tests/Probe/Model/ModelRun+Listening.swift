/// What listeners are told.
extension ModelRun {
  func compareNext(of index: Int) throws {
    // For a task, Dispatch may need a descriptor, and ends the process without.
    if foundation.shortage != nil { return }
    let value = model.value(model.settings[index])
    var iteration =
      iterations[index] ?? Iteration(next: members[index].updates(), last: nil, isTold: true)
    defer { iterations[index] = iteration }
    guard iterations[index] == nil || iteration.isTold && iteration.last != value else { return }
    try expect(iteration.next(), value, "the next of the updates of \(model.settings[index].key)")
    (iteration.last, iteration.isTold) = (value, false)
  }

  func compareListeners(
    after operation: Operation, _ touched: Set<String>, _ before: [String: Object]
  ) throws {
    let changed = touched.filter { before[$0] != model.stored[$0] }
    func isNews(_ index: Int, _ keys: Set<String>) -> Bool {
      !keys.isDisjoint(with: model.settings[index].names)
    }
    for (index, watch) in watches {
      let calls = watch.calls.take()
      // What is no change of what is stored may be told of, or not.
      guard isNews(index, changed) || !calls.isEmpty else { continue }
      let (key, value) = (model.settings[index].key, model.value(model.settings[index]))
      if operation.savesElsewhereInside {
        // Told by itself, or with the end of the transaction.
        try expect(
          calls.last.map(\.1) ?? watch.last, value, "what onChange of \(key) was told last")
      } else {
        let expected = value == watch.last ? [] : ["\((watch.last, value))"]
        try expect(calls.map { "\($0)" }, expected, "what onChange of \(key) was told")
      }
      watches[index]?.last = value
    }
    if let watch = watchOfAll {
      let told = watch.calls.take().flatMap(\.self)
      for (index, setting) in model.settings.enumerated()
      where isNews(index, changed) || told.contains(setting.key) {
        let value = model.value(setting)
        let calls = told.count { $0 == setting.key }
        if !operation.savesElsewhereInside {
          let expected = value == watch.last[index] ? 0 : 1
          try expect(calls, expected, "how often the group tells \(setting.key)")
        } else if value != watch.last[index] {
          try expect(calls > 0, true, "whether the group tells \(setting.key)")
        }
        watchOfAll?.last[index] = value
      }
    }
    for (index, track) in tracks {
      let setting = model.settings[index]
      let (isTold, isChanged) = (track.isTold.value, isNews(index, changed))
      if isChanged && model.value(setting) != track.value {
        try expect(isTold, true, "whether Observation is told of \(setting.key)")
      }
      // `TellingDefaults` tells of equal objects, too.
      // Foundation's class and a plain subclass of the first change, of which nobody knows what was before.
      if isTold, !operation.isOfOtherLayers, kind != .defaultsStore, kind.hearsRawChanges {
        try expect(
          isChanged, true, "whether anything of \(setting.key) changed when Observation was told")
      }
      if isTold { tracks[index] = nil }
    }
    for index in iterations.keys where isNews(index, changed) { iterations[index]?.isTold = true }
  }
}
