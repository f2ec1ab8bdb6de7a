internal import Foundation

/// The thread that runs the tasks of one store: a program may block all threads of the concurrency
/// runtime in calls of `withLock`.
final class StoreThread: TaskExecutor, @unchecked Sendable {  // `monitor` protects all.
  private let monitor = Monitor()
  private var jobs: [() -> Void] = []
  private var timers: [Int: (time: Instant, body: () -> Void)] = [:]
  /// Timers that were cancelled before they began.
  private var cancelled: Set<Int> = []
  private var lastTimer = 0
  private var isStopped = false
  private var identity: ObjectIdentifier?

  func start(named name: String) {
    let thread = Thread { self.run() }
    thread.name = name
    thread.start()
  }

  /// Ends the thread after its present jobs.
  func stop() { change { isStopped = true } }

  var isCurrent: Bool { monitor.withLock { identity == ObjectIdentifier(Thread.current) } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    perform { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  func perform(_ body: @escaping () -> Void) { change { jobs.append(body) } }

  /// Waits until a time, or until the task is cancelled.
  func sleep(until time: Instant) async {
    let timer = monitor.withLock {
      lastTimer += 1
      return lastTimer
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        change {
          timers[timer] = (cancelled.remove(timer) == nil ? time : .now, { continuation.resume() })
        }
      }
    } onCancel: {
      change {
        if timers[timer] == nil { cancelled.insert(timer) } else { timers[timer]?.time = .now }
      }
    }
  }

  private func change(_ body: () -> Void) {
    monitor.withLock {
      body()
      monitor.broadcast()
    }
  }

  private func run() {
    monitor.withLock { identity = ObjectIdentifier(Thread.current) }
    while true {
      let due: [() -> Void] = monitor.withLock {
        while true {
          let late = timers.filter { $0.value.time <= .now }
          for timer in late.keys { timers[timer] = nil }
          let due = jobs + late.sorted { $0.value.time < $1.value.time }.map(\.value.body)
          jobs = []
          if !due.isEmpty || isStopped { return due }
          monitor.wait(until: timers.values.map(\.time).min())
        }
      }
      if due.isEmpty { return }
      for body in due { body() }
    }
  }
}
