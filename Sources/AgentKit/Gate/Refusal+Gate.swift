internal import AgentProtocol
internal import Presentation
internal import RecordStore
internal import VaultKit
internal import VaultPolicy

extension Refusal {
    /// The policy requires a prompt, but nobody can be asked.
    static let nobodyToAsk = Refusal(
        .nobodyToAsk,
        "this request needs your approval, but hsip cannot ask you here",
        hint: "hsip agent rule add NAME allow --kind read --subject SECRET --for 1h"
    )

    /// Nobody can be asked about these acts; for a single act, the hint is a command that can be pasted.
    static func nobodyToAsk(about acts: [Act], by requester: Requester) -> Refusal {
        var refusal = Refusal.nobodyToAsk
        if let lease = requester.lease {
            return notLeased(acts, lease)
        }
        let name = acts.count == 1 && isPlain(acts[0].subject) ? acts[0].subject : nil
        if case .own = requester.program, acts.contains(where: { $0.kind == .decide }) {
            refusal.hint = "hsip --no-agent COMMAND  or the same command at a terminal"
        } else if case .read(let operation, _)? = acts.first, Lease.reading.contains(operation) {
            refusal.hint = Lease.command(name ?? "NAME")
        } else if let kind = acts.first?.kind, kind == .read || kind == .decide {
            refusal.hint =
                "hsip agent rule add \(name == nil ? "NAME" : "scripts") allow --kind \(kind.rawValue)"
                + " --subject \(name ?? "SECRET") --for 1h"
        }
        return refusal
    }

    /// A command inside a lease may not do these acts; the hint is a command only if another lease would cover them.
    private static func notLeased(_ acts: [Act], _ lease: Lease) -> Refusal {
        guard lease.number == 0 || lease.ends > BootTime.now() else { return .leaseIsOver }
        var refusal = Refusal(
            .nobodyToAsk,
            "inside a lease nobody is asked: it covers only what it names, unless a rule asks",
            hint: "hsip audit --refused"
        )
        guard acts.count == 1, lease.thing(of: acts[0], at: BootTime.now()) == nil else { return refusal }
        let words: String
        switch acts[0] {
        case .read(let operation, let name) where Lease.reading.contains(operation):
            words = isPlain(name) ? name : "NAME"
        case .item(_, let item): words = "--item \(item.id)"
        case .read(ItemOperation.get, let id) where isPlain(id): words = "--item \(id)"
        default: return refusal
        }
        refusal.message = "the lease of this command does not cover this secret or item"
        refusal.hint = Lease.command(words)
        return refusal
    }

    /// Only a person can give a lease.
    static let leaseNeedsPerson = Refusal(
        .nobodyToAsk,
        "only a person at a terminal can give a lease, and not from inside another one",
        hint: "\(Lease.command())  at a terminal"
    )
    /// The service may not get a lease.
    static func notLeasable(_ why: String) -> Refusal {
        Refusal(.policyRefused, "this service cannot have a lease: \(why)")
    }
    /// The largest number of leases is reached.
    static let tooManyLeases = Refusal(
        .busy,
        "\(Lease.maximum) commands with a lease run, and no more may",
        hint: "hsip lease"
    )
    /// The log has no room for all names.
    static let leaseTooLong = Refusal(
        .tooLarge,
        "the names of a lease have at most \(AuditEntry.longestText) bytes together",
        hint: "hsip lease run --help"
    )
    /// The lease is unknown or has ended.
    static let unknownLease = Refusal(.unknownLease, "no lease has this number", hint: "hsip lease")
    /// The lease ended after its time, by a person or with a lock.
    static let leaseIsOver = Refusal(
        .nobodyToAsk,
        "the lease of this command has ended",
        hint: Lease.command()
    )
    /// No such request is waiting: it was answered, withdrawn or ended by a lock.
    static let unknownRequest = Refusal(
        .unknownRequest,
        "no request with this number waits for an answer",
        hint: "hsip agent requests"
    )
    /// Only a person can answer.
    static let answerNeedsPerson = Refusal(
        .nobodyToAsk,
        "only a person at a terminal can answer a request",
        hint: "hsip agent requests answer NUMBER  at a terminal"
    )
    /// The vault has no secret that the person could prove to know.
    static let answerInWindow = Refusal(
        .notForKeyring,
        "answer in the window: a vault in the keyring has no passphrase to show that it is you"
    )
    /// A command inside a lease cannot see or answer requests.
    static let requestsInLease = Refusal(
        .policyRefused,
        "inside a lease requests are neither shown nor answered"
    )
    /// A secret, key or item changed after the lease was given.
    static let leaseChanged = Refusal(
        .nobodyToAsk,
        "this was changed, renamed or removed after it was leased",
        hint: Lease.command()
    )

    /// The call changes more than a person would read in prompts.
    static func tooMuchToShow(about acts: [Act], by requester: Requester) -> Refusal {
        var refusal = nobodyToAsk(about: acts, by: requester)
        refusal.message = "this request needs your approval, and changes more than questions can show"
        return refusal
    }

    /// Whether a shell reads a name literally; any other name is left out of commands.
    static func isPlain(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count) && !name.hasPrefix("-")
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || Array("-._/@+".utf8).contains(byte)
            }
    }

    /// Programs on the bus may use items only.
    static let notForBus = Refusal(.policyRefused, "no program on the bus may ask for this")
    /// A rule refuses all requested items.
    static let itemRefused = Refusal(
        .policyRefused,
        "the policy refuses this request",
        hint: "hsip audit --refused"
    )
    /// The process on the bus is no longer the program that asked.
    static let programEnded = Refusal(
        .policyRefused,
        "the program that asked ended, or became another program"
    )
    /// The person refused a short time ago, or is asked too often.
    static let blocked = Refusal(
        .policyRefused,
        "hsip does not ask now: you refused this a short time ago, or too much was asked"
    )
    /// Too many prompts of programs on the bus are waiting.
    static let tooManyQuestions = Refusal(.busy, "too many questions wait for an answer", hint: "try again")
    /// The person closed the passphrase window a short time ago.
    static let blockedWindow = Refusal(
        .locked,
        "the vault is locked, and the question for its passphrase was closed",
        hint: "hsip unlock"
    )
    /// Programs on the bus caused too many prompts within a minute.
    static let tooManyWindows = Refusal(
        .locked,
        "the vault is locked, and programs ask for its passphrase too often",
        hint: "hsip unlock"
    )
    /// Only the front of the bus may ask for other programs.
    static let onlyByFront = Refusal(.policyRefused, "only hsip-secrets may ask for another program")
    /// Only hsip itself may lift a block.
    static let onlyByOwn = Refusal(.policyRefused, "only hsip itself may ask for this")
    /// The front asked for an operation that none of its clients may use.
    static let notForFront = Refusal(.policyRefused, "hsip-secrets may not ask for this")
    /// Another front is connected.
    static let providerTaken = Refusal(
        .providerTaken,
        "another hsip-secrets is already connected to the agent"
    )

    /// The policy refused the act.
    static func policy(_ reason: Reason) -> Refusal {
        let message =
            switch reason {
            case .rule(let name): "the rule \(name) refuses this request"
            case .row(.hostRevoked): "the key of this server was revoked"
            case .row(.hostChanged): "the key of this server has changed"
            case .row, .remembered, .lease: "the policy refuses this request"
            }
        return Refusal(.policyRefused, message, hint: "hsip audit --refused")
    }

    /// Returns the refusal for an unanswered prompt.
    static func unanswered(_ error: PromptError) -> Refusal {
        switch error {
        case .nobody, .failed, .malformed, .tooLong, .noResources: .nobodyToAsk
        case .refused, .empty: .dismissed
        case .timedOut, .unseen(seconds: _?): .late
        case .cancelled, .unseen(seconds: nil): .cancelled
        }
    }

    /// Returns the refusal for an error of the vault's log or rules.
    ///
    /// Any program may see it, so a damaged record is not named.
    init(_ error: VaultError) {
        switch error {
        case .audit, .rule: self.init(error.explanation)
        case .store(.locked): self = .locked
        default: self.init(error.explanation.saying("hsip cannot read the vault"))
        }
    }
}
