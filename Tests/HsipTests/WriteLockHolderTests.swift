import Testing

@testable import hsip

/// Who holds a vault, in the words of the kernel.
@Suite struct WriteLockHolderTests {
    private static let locks = """
        1: POSIX  ADVISORY  READ 11 fe:00:77 123 123
        2: POSIX  ADVISORY  WRITE 12 fe:00:78 120 120
        3: POSIX  ADVISORY  WRITE 13 fe:00:77 121 121
        4: FLOCK  ADVISORY  WRITE 14 fe:00:77 0 EOF
        4: -> POSIX  ADVISORY  WRITE 15 fe:00:77 120 120
        5: POSIX  ADVISORY  WRITE 16 fe:00:77 120 120

        """

    @Test func `the process that has the write lock of a file is found, and none that waits or reads`() {
        #expect(WriteLockHolder.process(locking: 77, by: .sharedMemory, in: Self.locks) == 16)
        #expect(WriteLockHolder.process(locking: 78, by: .sharedMemory, in: Self.locks) == 12)
        #expect(WriteLockHolder.process(locking: 7, by: .sharedMemory, in: Self.locks) == nil)
        let unknown = "5: POSIX ADVISORY WRITE 0 fe:00:77 120 120"
        #expect(WriteLockHolder.process(locking: 77, by: .sharedMemory, in: unknown) == nil)
    }

    @Test func `of a lock file the writer is named, else a reader`() {
        #expect(WriteLockHolder.process(locking: 77, by: .lockFile, in: Self.locks) == 14)
        #expect(WriteLockHolder.process(locking: 78, by: .lockFile, in: Self.locks) == nil)
        let readers = "1: FLOCK ADVISORY READ 11 fe:00:77 0 EOF\n2: -> FLOCK ADVISORY WRITE 12 fe:00:77 0 EOF"
        #expect(WriteLockHolder.process(locking: 77, by: .lockFile, in: readers) == 11)
    }

    @Test func `name and age of a process are read, whatever it calls itself`() throws {
        let fields = "16 (a) b(c) S " + (1...18).map { "\($0)" }.joined(separator: " ") + " 500 1 2\n"
        let holder = try #require(WriteLockHolder(process: 16, fields, uptime: 125, ticks: 100))
        #expect(holder.program == "a) b(c" && holder.process == 16 && holder.age == 120)
        #expect(WriteLockHolder(process: 16, "16 (a) S 1 2", uptime: 1, ticks: 100) == nil)
        #expect(WriteLockHolder(process: 16, "", uptime: 1, ticks: 100) == nil)
    }
}
