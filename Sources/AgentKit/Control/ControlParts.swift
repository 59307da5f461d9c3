package import AgentProtocol
internal import Glibc
internal import VaultPolicy

/// What the control socket needs of the rest of the agent.
package struct ControlParts: Sendable {
    /// Name and version of the agent's program.
    package let program: String
    package let core: AgentCore
    package let gate: any CallGate
    /// Where secrets that clients announce find place.
    package let quota: MemoryQuota
    /// How the agent itself asks a caller's person; nil where it cannot.
    package let prompter: @Sendable (ControlCaller) -> (any Prompter)?
    /// The questions that wait in that prompter.
    package let questions: QuestionBook
    /// Which clients are our own command line.
    package let programs: OwnPrograms
    /// Lets the agent's questions go to the terminal of a client that does not show the passphrase again.
    ///
    /// False where they may not. Only our own command line comes so far.
    package let returns: @Sendable (ControlCaller) -> Bool
    /// Hears of a client that brought the secret which opened the vault, or at whose terminal it was typed.
    package let opened: @Sendable (ControlCaller) -> Void
    /// Adds what it knows to a status.
    package let facts: @Sendable (inout AgentStatus) -> Void
    /// Ends the program; called once, after the last reply was sent.
    package let ended: @Sendable () -> Void

    package init(
        program: String,
        core: AgentCore,
        gate: any CallGate,
        quota: MemoryQuota = MemoryQuota(),
        prompter: @escaping @Sendable (ControlCaller) -> (any Prompter)? = { _ in nil },
        questions: QuestionBook = QuestionBook(PrompterChain([])),
        programs: OwnPrograms = .beside(),
        returns: @escaping @Sendable (ControlCaller) -> Bool = { _ in false },
        opened: @escaping @Sendable (ControlCaller) -> Void = { _ in },
        facts: @escaping @Sendable (inout AgentStatus) -> Void = { _ in },
        ended: @escaping @Sendable () -> Void
    ) {
        self.program = program
        self.core = core
        self.gate = gate
        self.quota = quota
        self.prompter = prompter
        self.questions = questions
        self.programs = programs
        self.returns = returns
        self.opened = opened
        self.facts = facts
        self.ended = ended
    }

    /// A client brought the secret, or it was typed at the client's terminal: its person is there, and hsip asks about
    /// all programs on the bus again.
    func proved(_ caller: ControlCaller) {
        gate.limiter.unblockAll()
        opened(caller)
    }

    /// Whether a process runs our own command line, as far as it was looked at: for its place, not for a verdict.
    func isOwnProgram(_ peer: Peer) -> Bool {
        if case .own = programs.program(peer.program) { true } else { programs.isFront(peer.program) }
    }

    /// Whether a process is the front of the message bus, and said by itself all that it said.
    func isFront(_ peer: Peer) -> Bool {
        peer.uid == geteuid() && peer.isAlive && programs.isFront(peer.speaker)
    }

    /// Whether a process is our own command line, and said by itself all that it said.
    func isOwn(_ peer: Peer) -> Bool {
        guard peer.uid == geteuid(), peer.isAlive, case .own = programs.program(peer.speaker) else {
            return false
        }
        return true
    }
}

extension ControlParts {
    /// The open vault, for a program on the bus: it is opened without a person where it can be, else by asking one, unless
    /// that may not be now.
    ///
    /// - Throws: as opening; `busy` where too many calls of its process wait; `locked` where the window was closed or left a short time ago, or
    ///   programs leave too many questions without an answer.
    func unlock(
        for program: BusCaller,
        _ caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ interest: Cancellation
    ) throws(AgentError) -> OpenVault {
        if let open = core.openVault { return open }
        guard program.mayOpen else { throw .refused(.locked) }
        let limiter = gate.limiter
        let name = RateLimiter.name(of: program.requester)
        let isBlocked = program.mayAsk && limiter.blocksWindow(of: name)
        // A command inside a lease waits for nobody.
        guard program.mayAsk, !isBlocked, let prompter, gate.leases.lease(of: program.process) == nil else {
            do throws(AgentError) {
                return try core.unlock(asking: nil, by: caller.peer, interest)
            } catch {
                throw error == .refused(.locked) && isBlocked ? .refused(.blockedWindow) : error
            }
        }
        let call: UInt64
        do throws(Refusal) { call = try limiter.begin(program.process, of: name) } catch {
            throw .refused(error)
        }
        defer { limiter.end(call) }
        do throws(AgentError) {
            let asker = PrompterAsker(prompter, for: program, call, limiter)
            return try core.unlock(asking: asker, by: caller.peer, interest)
        } catch {
            throw limiter.windowEnded(of: call, by: error, hasLeft: program.hasLeft)
        }
    }
}
