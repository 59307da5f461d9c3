package import Presentation

/// A refusal by the agent or its policy, and not by the vault.
public struct Refusal: Equatable, Error, Sendable, Codable {
    /// The exit code of the command line (Schemas/exit-codes.json).
    public var exitCode: Int32
    /// The name, as the JSON output spells it.
    public var name: String
    /// The message, one line in lower case without a full stop; it has no secrets and no uncleaned input.
    public var message: String
    /// One command or flag that helps.
    public var hint: String?

    /// Makes a refusal with a known error name.
    package init(_ name: ErrorName, _ message: String, hint: String? = nil) {
        self.init(name.exitCode, name.rawValue, message, hint: hint)
    }

    /// Makes a refusal with the name, message and hint of a failure.
    package init(_ text: Failure) { self.init(text.exitCode, text.name, text.message, hint: text.hint) }

    /// Makes a refusal.
    public init(_ exitCode: Int32, _ name: String, _ message: String, hint: String? = nil) {
        self.exitCode = exitCode
        self.name = name
        self.message = message
        self.hint = hint
    }
}

extension Refusal {
    /// The vault is locked, and nobody could be asked.
    public static let locked = Refusal(.locked, "the vault is locked", hint: "hsip unlock")
    /// The person refused, or closed the question.
    public static let dismissed = Refusal(.promptDismissed, "the question was refused")
    /// The caller cancelled the request, or hung up.
    public static let cancelled = Refusal(.cancelled, "the request was cancelled")
    /// Nobody answered the question in time.
    public static let late = Refusal(.promptTimeout, "no one answered in time")
    /// The agent is ending.
    public static let stopping = Refusal(.busy, "the agent is ending", hint: "try again")
    /// The vault is locked, but an earlier request still uses its keys.
    public static let stillUsed = Refusal(
        .busy,
        "the vault is locked, but a request that began before still runs; it loses its keys at its end"
    )
    /// The agent has no memory, descriptors or threads left.
    public static let exhausted = Refusal(.busy, "the agent has too much to do", hint: "try again")
    /// The agent serves no more connections, in all or of one process.
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
    /// The vault's file was removed or replaced while the agent ran.
    public static let vaultGone = Refusal(
        .vaultGone,
        "the vault is no longer what the agent opened; it is locked now",
        hint: "hsip doctor"
    )
    /// The person cannot show that they know the vault's passphrase, because a vault in the keyring has no passphrase.
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
    /// The request is larger than the protocol allows.
    public static let requestTooLarge = Refusal(
        .requestTooLarge,
        "this is more than may be handed to the agent",
        hint: "--no-agent"
    )
    /// The client broke the protocol.
    public static let brokenProtocol = Refusal(.brokenProtocol, "this is no request to the agent")
    /// The agent speaks another version of the protocol.
    public static let otherVersion = Refusal(
        .agentVersion,
        "the agent is of another version",
        hint: "hsip agent restart"
    )
}
