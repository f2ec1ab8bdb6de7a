#if os(Linux)
  import Foundation
  import XCTest

  /// A library that shows a program another wall clock: by as many seconds as the variable `CLOCK_STEP`
  /// of its environment says at the time. The other clocks go on.
  enum Clock {
    private static let source = """
      #define _GNU_SOURCE
      #include <stdlib.h>
      #include <sys/syscall.h>
      #include <sys/time.h>
      #include <time.h>
      #include <unistd.h>
      static long step(void) { char *s = getenv("CLOCK_STEP"); return s ? atol(s) : 0; }
      int clock_gettime(clockid_t clock, struct timespec *time) {
        int result = syscall(SYS_clock_gettime, clock, time);
        if (clock == CLOCK_REALTIME) time->tv_sec += step();
        return result;
      }
      int gettimeofday(struct timeval *restrict time, void *restrict zone) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        time->tv_sec = now.tv_sec;
        time->tv_usec = now.tv_nsec / 1000;
        return 0;
      }
      """

    static func library() throws -> String {
      let folder = FileManager.default.temporaryDirectory.appending(path: "FleetTests-clock")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let (file, library) = (folder.appending(path: "clock.c"), folder.appending(path: "clock.so"))
      try Data(source.utf8).write(to: file)
      let process = Process()
      process.executableURL = try Cluster.program("clang")
      process.arguments = ["-shared", "-fPIC", "-o", library.path, file.path]
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw XCTSkip("no library can be built") }
      return library.path
    }
  }
#endif
