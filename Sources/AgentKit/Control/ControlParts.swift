package import AgentProtocol
internal import Glibc
internal import VaultPolicy

/// The parts of the agent that the control socket needs.
package struct ControlParts: Sendable {
    /// Name and version of the agent's program.
    package let program: String
    package let core: AgentCore
    package let gate: any CallGate
    /// Limits the memory for the secrets of clients.
    package let quota: MemoryQuota
    /// Returns the prompter with which the agent itself asks a caller's person; nil if it cannot.
    package let prompter: @Sendable (ControlCaller) -> (any Prompter)?
    /// The prompts that are waiting in that prompter.
    package let questions: QuestionBook
    /// Identifies the clients that are hsip itself.
    package let programs: OwnPrograms
    /// Lets the agent's prompts go to the terminal of a client without a new proof of the passphrase.
    ///
    /// It returns false if they may not. It is called for hsip itself only.
    package let returns: @Sendable (ControlCaller) -> Bool
    /// Called for a client that sent the secret which opened the vault, or at whose terminal it was typed.
    package let opened: @Sendable (ControlCaller) -> Void
    /// Adds facts to a status.
    package let facts: @Sendable (inout AgentStatus) -> Void
    /// Ends the program; called once, after the last response was sent.
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

    /// Notes that the person of a client is present; hsip then asks about all programs on the bus again.
    ///
    /// That is so if the client sent the secret, or the secret was typed at the client's terminal.
    func proved(_ caller: ControlCaller) {
        gate.limiter.unblockAll()
        opened(caller)
    }

    /// Whether a process runs hsip itself or its front, from facts that were already read.
    ///
    /// It decides about its connection, not about acts.
    func isOwnProgram(_ peer: Peer) -> Bool {
        if case .own = programs.program(peer.program) { true } else { programs.isFront(peer.program) }
    }

    /// Whether a process is the front of the message bus, and no other program can have sent its messages.
    func isFront(_ peer: Peer) -> Bool {
        peer.uid == geteuid() && peer.isAlive && programs.isFront(peer.speaker)
    }

    /// Whether a process is hsip itself, and no other program can have sent its messages.
    func isOwn(_ peer: Peer) -> Bool {
        guard peer.uid == geteuid(), peer.isAlive, case .own = programs.program(peer.speaker) else {
            return false
        }
        return true
    }
}

extension ControlParts {
    /// Returns the open vault for a program on the bus.
    ///
    /// It is opened without a person if possible, otherwise by asking one, unless that is not allowed now.
    ///
    /// - Throws: the errors of opening; `busy` if too many calls of its process wait; `locked` if the window was
    ///   closed or ignored a short time ago, or if programs leave too many prompts unanswered.
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
        // A command inside a lease does not wait for a person.
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
