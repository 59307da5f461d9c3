package import AgentProtocol
internal import Glibc
internal import RecordStore
package import VaultPolicy

/// A program on the message bus for which a front asks.
///
/// The agent itself determines which program it is.
///
/// The front names a process and its start time; everything else is read here. It is read completely at the first
/// call and at each prompt. At each value the agent checks that the process and its file are still the same. So a
/// process that ended, or became another program, never counts as the former one.
package final class BusCaller: Sendable {
    private static let portal = "xdg-desktop-portal"

    /// Whether a person may be asked now.
    package let mayAsk: Bool
    /// Whether a locked vault may be opened for it now.
    let mayOpen: Bool
    /// The name of its connection: approvals for one use apply to that connection alone.
    let connection: String
    /// Whether its session is not encrypted.
    var isPlain: Bool { behalf.isPlain }
    /// The process, for counting calls that wait for a person.
    var process: ProcessID { behalf.process }
    /// Called when a person is asked for it.
    let asks: @Sendable () -> Void
    /// Whether the program itself has gone, if nobody wants its answer any more; false if its front has gone.
    let hasLeft: @Sendable () -> Bool
    private let behalf: Behalf
    private let known: KnownPrograms?
    private let watch: ProcessWatch

    /// Looks up the process; nil if it ended, has another start time, or belongs to another user.
    ///
    /// - Parameters:
    /// - behalf: the process, as the front saw it.
    /// - known: the known processes, for a process whose file is no longer at its path.
    /// - hasLeft: whether the program itself has gone, if nobody wants its answer any more.
    /// - asks: called when a person is asked for it.
    package init?(
        _ behalf: Behalf,
        known: KnownPrograms? = nil,
        hasLeft: @escaping @Sendable () -> Bool = { true },
        asks: @escaping @Sendable () -> Void = {}
    ) {
        guard let watch = known?.watch(of: behalf.process) ?? ProcessWatch(behalf.process) else { return nil }
        (self.behalf, self.watch, self.asks) = (behalf, watch, asks)
        (self.known, self.hasLeft) = (known, hasLeft)
        (mayAsk, mayOpen, connection) = (behalf.mayAsk, behalf.mayOpen, behalf.bus)
        // A process that hides itself seems to belong to root. Its program then cannot be read either.
        guard isSame, let owner = Self.owner(of: behalf.pid), owner == geteuid() || owner == 0 else {
            return nil
        }
    }

    /// Whether the process still is the one that the front saw, and is running.
    package var isSame: Bool { watch.isRunning }

    /// The requester as it was read before, for the same process with the same file.
    package var requester: Requester {
        // A sandbox is read again each time.
        let isSnap = behalf.label?.hasPrefix("snap.") == true
        guard !isSnap, var seen = known?.requester(of: process), isSame else { return presentRequester }
        // The same interpreter may run another script now.
        seen.script = script(of: seen.bus?.identity)
        return seen
    }

    /// The requester, read now.
    var presentRequester: Requester {
        let pid = behalf.pid
        let units = ProcessFacts.units(of: pid)
        var identity = BusIdentity.read(pid, label: behalf.label) {
            known?.requester(of: process)?.bus?.identity
        }
        let chain = ProcessFacts.chain(from: pid, startedBy: behalf.start)
        // Facts that were read of another process do not count.
        if !isSame { identity = nil }
        let unit = units.last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }
        var requester = Requester(
            uid: geteuid(),
            pid: pid,
            bus: BusProgram(
                identity: identity,
                start: behalf.start,
                chain: chain.compactMap(\.path),
                unit: unit
            ),
            chain: chain.map(\.name)
        )
        requester.script = script(of: identity)
        known?.saw(requester, of: process, watch)
        return requester
    }

    /// Whether a program is the portal of the desktop, which speaks for sandboxed applications.
    ///
    /// The name alone does not suffice: the file must belong to the system, where no program of the user can put one.
    static func isPortal(_ requester: Requester) -> Bool {
        guard let path = requester.bus?.identity?.text, ProcessFacts.name(path) == portal else {
            return false
        }
        return SystemPlace.holds(path)
    }

    private func script(of program: ProgramIdentity?) -> ScriptClaim? {
        guard let program, !program.isSandboxed, SharedTools.contains(program) else { return nil }
        return ScriptReader.claim(of: behalf.pid, program.text)
    }

    private static func owner(of pid: Int32) -> uid_t? {
        var facts = stat()
        return unsafe stat("/proc/\(pid)", &facts) == 0 ? facts.st_uid : nil
    }
}
