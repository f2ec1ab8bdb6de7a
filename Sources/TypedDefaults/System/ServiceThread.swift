#if os(Linux) || os(Android)
  internal import Foundation

  /// A thread that works whenever it is woken. It starts when it is first woken.
  ///
  /// A dispatch queue would not do: a program may starve its threads, or call `exit` on one of
  /// them.
  final class ServiceThread: Sendable {
    private let name: String
    /// Does all that is to be done, and returns when there will be more, if that is known.
    private let work: @Sendable (_ isLast: Bool) -> ContinuousClock.Instant?

    private let alarm = Semaphore()
    private let hasStarted = Mutex(false)
    /// Those who wait for the last work.
    private let endings = Mutex<[Semaphore]>([])

    /// - Parameter name: The name for the system's tools, of at most 15 bytes: the kernel keeps no
    ///   more.
    init(name: String, work: @escaping @Sendable (_ isLast: Bool) -> ContinuousClock.Instant?) {
      self.name = name
      self.work = work
      _ = Self.current
    }

    /// - Returns: Whether the thread is running: the system may refuse a new one.
    @discardableResult
    func wake() -> Bool {
      alarm.signal()
      return hasStarted.withLock { hasStarted in
        if !hasStarted { hasStarted = Self.launch { [self] in run() } }
        return hasStarted
      }
    }

    var isStarted: Bool { hasStarted.withLock { $0 } }

    var isCurrent: Bool { Self.current.object === self }

    private static let current = ThreadVariable<ServiceThread>()

    /// Makes the thread do its last work.
    ///
    /// - Returns: What it signals when it is done.
    func end() -> Semaphore {
      let ending = Semaphore()
      endings.withLock { $0.append(ending) }
      alarm.signal()
      return ending
    }

    private final class Body {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that takes no signals.
    ///
    /// - Returns: Whether it has started: the system may refuse a new one.
    static func launch(_ body: @escaping @Sendable () -> Void) -> Bool {
      Signals.blocked {
        #if canImport(Musl)
          var thread: pthread_t?
        #else
          var thread = pthread_t()
        #endif
        let context = Unmanaged.passRetained(Body(body))
        // Not by an initializer, which belongs to different modules of different toolchains.
        let error = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) {
          let attributes = $0.baseAddress!
          pthread_attr_init(attributes)
          defer { pthread_attr_destroy(attributes) }
          // Of some C libraries, a thread has only 128 KiB.
          var stackSize = 0
          pthread_attr_getstacksize(attributes, &stackSize)
          pthread_attr_setstacksize(attributes, max(stackSize, 1 << 20))
          pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED))
          return pthread_create(
            &thread, attributes,
            { context in
              Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
              return nil
            }, context.toOpaque())
        }
        if error != 0 { context.release() }
        return error == 0
      }
    }

    private func run() -> Never {
      Thread.current.name = name
      Self.current.object = self
      while true {
        var waiting: [Semaphore] = []
        endings.withLock { swap(&$0, &waiting) }
        let next = work(!waiting.isEmpty)
        for ending in waiting { ending.signal() }
        if let next { alarm.wait(atMost: next - .now) } else { alarm.wait() }
      }
    }
  }
#endif
