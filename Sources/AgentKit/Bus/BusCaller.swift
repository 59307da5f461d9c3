package import AgentProtocol
internal import Glibc
internal import RecordStore
package import VaultPolicy

/// A program on the message bus, for which a front asks: the agent reads by itself which program it is.
///
/// The front names a process and when it began. Everything else is read here: whole at the first call and at each question,
/// and at each value whether it still is the same process with the same file. So a process that ended, or became another
/// program, is not taken for what it was.
package final class BusCaller: Sendable {
    private static let portal = "xdg-desktop-portal"

    /// Whether a person may be asked now.
    package let mayAsk: Bool
    /// Whether a locked vault is opened for it now.
    let mayOpen: Bool
    /// The name of its connection: answers for one use hold for that connection alone.
    let connection: String
    /// Whether it has a session without encryption.
    var isPlain: Bool { behalf.isPlain }
    /// The process, among those whose calls wait for a person.
    var process: ProcessID { behalf.process }
    /// Called when a person is asked because of it.
    let asks: @Sendable () -> Void
    /// Whether it was the program that went, where nobody wants its answer any longer; else its front did.
    let hasLeft: @Sendable () -> Bool
    private let behalf: Behalf
    private let known: KnownPrograms?
    private let watch: ProcessWatch

    /// Looks the process up; nil if it ended, began at another time, or belongs to another user.
    ///
    /// - Parameters:
    ///   - behalf: the process, as the front saw it.
    ///   - known: what is known of processes whose file is no longer in its place.
    ///   - hasLeft: whether it was the program that went, where nobody wants its answer any longer.
    ///   - asks: called when a person is asked because of it.
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
        // A process that hides itself looks like the system's own; which program it is cannot be read then either.
        guard isSame, let owner = Self.owner(of: behalf.pid), owner == geteuid() || owner == 0 else {
            return nil
        }
    }

    /// Whether it is the process that the front saw, and still runs.
    package var isSame: Bool { watch.isRunning }

    /// Who asks, as it was read before of the same process with the same file.
    package var requester: Requester {
        // A sandbox is looked at each time.
        let isSnap = behalf.label?.hasPrefix("snap.") == true
        guard !isSnap, var seen = known?.requester(of: process), isSame else { return presentRequester }
        // The same interpreter may run another script by now.
        seen.script = script(of: seen.bus?.identity)
        return seen
    }

    /// Who asks, read now.
    var presentRequester: Requester {
        let pid = behalf.pid
        let units = ProcessFacts.units(of: pid)
        var identity = BusIdentity.read(pid, label: behalf.label) {
            known?.requester(of: process)?.bus?.identity
        }
        let chain = ProcessFacts.chain(from: pid, startedBy: behalf.start)
        // What was read of another process counts for nothing.
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
    /// One that only calls itself so is none: the file has to be the system's, where no program of the user can put one.
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
