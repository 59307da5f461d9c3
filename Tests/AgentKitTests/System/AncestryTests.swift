import AgentProtocol
import Glibc
import Support
import Testing

@testable import AgentKit

/// Which processes are above one, for certain.
struct AncestryTests {
    private static func process(_ pid: Int32) throws -> ProcessID {
        try #require(ProcessID(running: pid))
    }

    @Test func `this process is below its parent`() throws {
        let (own, parent) = (try Self.process(getpid()), try Self.process(getppid()))
        #expect(ProcessFacts.ancestry(of: own)?.prefix(2) == [own, parent])
    }

    @Test func `a process that began at another time is another one`() throws {
        let own = try Self.process(getpid())
        #expect(ProcessFacts.ancestry(of: ProcessID(pid: own.pid, start: own.start + 1)) == nil)
        #expect(ProcessFacts.ancestry(of: ProcessID(pid: 0, start: 0)) == nil)
    }
}
