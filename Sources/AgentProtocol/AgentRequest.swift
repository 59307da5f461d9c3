public import VaultPolicy

/// What a client asks of the agent after its hello, in a request frame.
public enum AgentRequest: Equatable, Sendable, Codable {
    /// How the agent stands; always allowed, and no use that puts off the lock.
    case status
    /// Opens the vault; does nothing when it is open.
    ///
    /// It locks after `seconds` whatever happens, without them after the usual time. With `slot` the secret that came along
    /// is the PIN of this key slot; with `lastTries` even the last PIN that a security key accepts. A front says which
    /// program on the bus needs it.
    case unlock(
        source: UnlockSource,
        seconds: Int? = nil,
        slot: UInt32? = nil,
        lastTries: Bool? = nil,
        for: Behalf? = nil
    )
    /// Wipes every key and closes the vault, before it is answered; a front says for which program on the bus.
    case lock(for: Behalf? = nil)
    /// Locks and ends the agent.
    case stop
    /// Asks the client's person for the vault's secret, also while it is open, and moves the agent's own questions to
    /// where the client is; the secret may have come along, as the one bytes frame before.
    case terminal
    /// Asks which programs on the bus are blocked, or ends that; for our own command line alone.
    case blocked(clears: Bool)
    /// Lets the client's process, and all that it starts, read secrets; it ends with the connection.
    case lease(LeaseRequest)
    /// The leases that hold at present.
    case leases
    /// Ends a lease.
    case endLease(number: UInt64)
    /// The requests that wait for an answer in a window; for our own command line alone.
    case requests
    /// Answers such a request. Without an answer it asks for the vault's secret, which has to be shown on the same connection
    /// first; the secret may have come along, as the one bytes frame before.
    case answerRequest(number: UInt64, answer: RequestAnswer? = nil)
    /// An operation of the vault; its arguments are the data frames before it, its secrets the bytes frames.
    ///
    /// A front says for which program on the bus it calls.
    case call(operation: String, for: Behalf? = nil)

    /// The program on the bus for which a front asks.
    public var behalf: Behalf? {
        switch self {
        case .unlock(_, _, _, _, let behalf), .lock(let behalf), .call(_, let behalf): behalf
        case .status, .stop, .terminal, .blocked, .lease, .leases, .endLease, .requests, .answerRequest: nil
        }
    }
}

/// Where the secret that opens the vault comes from.
public enum UnlockSource: String, Sendable, Codable {
    /// Without a person; else from the person, asked at the caller's terminal or by the agent.
    case ask
    /// It came along, as the one bytes frame before the request.
    case given
    /// Without a person: a key slot in an open keyring, a credential of the service manager.
    case unattended
}

/// What a person wants leased to a command.
public struct LeaseRequest: Equatable, Sendable, Codable {
    /// What its command may use, by its names.
    public let things: [LeasedThing]
    /// For how many seconds.
    public let seconds: UInt64
    /// Why, in one line.
    public let reason: String
    /// The command, for people.
    public let command: String

    /// A request.
    public init(things: [LeasedThing], seconds: UInt64, reason: String, command: String) {
        self.things = things
        self.seconds = seconds
        self.reason = reason
        self.command = command
    }
}
