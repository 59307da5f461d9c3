package import Presentation

/// A refusal that is not the vault's own: the agent's, or its policy's.
public struct Refusal: Equatable, Error, Sendable, Codable {
    /// The exit code of the command line (Schemas/exit-codes.json).
    public var exitCode: Int32
    /// The name, as the JSON output spells it.
    public var name: String
    /// What happened, in one line: lower case, no full stop; nothing secret, nothing of the input uncleaned.
    public var message: String
    /// One command or flag that helps.
    public var hint: String?

    /// A refusal by a name of the vocabulary.
    package init(_ name: ErrorName, _ message: String, hint: String? = nil) {
        self.init(name.exitCode, name.rawValue, message, hint: hint)
    }

    /// A refusal that says what an error says.
    package init(_ text: Failure) { self.init(text.exitCode, text.name, text.message, hint: text.hint) }

    /// A refusal.
    public init(_ exitCode: Int32, _ name: String, _ message: String, hint: String? = nil) {
        self.exitCode = exitCode
        self.name = name
        self.message = message
        self.hint = hint
    }
}

extension Refusal {
    /// Locked, and no one could be asked.
    public static let locked = Refusal(.locked, "the vault is locked", hint: "hsip unlock")
    /// The person said no, or left the question.
    public static let dismissed = Refusal(.promptDismissed, "the question was refused")
    /// The caller cancelled it, or hung up.
    public static let cancelled = Refusal(.cancelled, "the request was cancelled")
    /// No one answered in time.
    public static let late = Refusal(.promptTimeout, "no one answered in time")
    /// The agent is ending.
    public static let stopping = Refusal(.busy, "the agent is ending", hint: "try again")
    /// It is locked, but a request is in the middle of a use.
    public static let stillUsed = Refusal(
        .busy,
        "the vault is locked, but a request that began before still runs; it loses its keys at its end"
    )
    /// The agent has no memory, descriptors or threads left.
    public static let exhausted = Refusal(.busy, "the agent has too much to do", hint: "try again")
    /// As many clients are connected as the agent serves.
    public static let crowded = Refusal(
        .busy,
        "the agent serves \(FrameLimits.connections) connections, \(FrameLimits.connectionsPerProcess) of one process, "
            + "and they are taken",
        hint: "try again when a program has ended"
    )
    /// The agent serves another vault.
    public static let otherVault = Refusal(
        .otherVault,
        "the agent serves another vault",
        hint: "hsip --vault PATH unlock"
    )
    /// The vault's file was taken away or exchanged under the agent.
    public static let vaultGone = Refusal(
        .vaultGone,
        "the vault is no longer what the agent opened; it is locked now",
        hint: "hsip doctor"
    )
    /// Anyone who asks cannot show that its person knows the vault's passphrase, as it has none.
    public static let nothingToShow = Refusal(
        .notForKeyring,
        "a vault in the keyring has no passphrase to show that it is you",
        hint: "hsip agent restart"
    )
    /// The result is larger than a reply may be.
    public static let tooLarge = Refusal(
        .replyTooLarge,
        "the answer is larger than the agent may send",
        hint: "--no-agent"
    )
    /// What was asked is larger than a request may be.
    public static let requestTooLarge = Refusal(
        .requestTooLarge,
        "this is more than may be handed to the agent",
        hint: "--no-agent"
    )
    /// The client sent what the protocol does not have.
    public static let brokenProtocol = Refusal(.brokenProtocol, "this is no request to the agent")
    /// The agent speaks another version of the protocol.
    public static let otherVersion = Refusal(
        .agentVersion,
        "the agent is of another version",
        hint: "hsip agent restart"
    )
}
