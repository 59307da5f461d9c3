/// The greeting that each side sends as its first frame.
///
/// Both sides must have the same version; `features` names smaller differences.
public struct Hello: Equatable, Sendable, Codable {
    /// The protocol version of this program; another version is incompatible.
    ///
    /// - 2: An error frame has the vault's own error in `cause`.
    /// - 3: Some operations, such as `code.find`, have other arguments and results.
    /// - 4: Messages are CBOR.
    /// - 5: Codes of suite 02 are made.
    /// - 6: Leases exist.
    /// - 7: Leases cover SSH keys and items, and another client may answer a waiting request.
    /// - 8: A lease may be for a process other than the client's.
    public static let version = 8
    /// The environment variables that a client sends, so that a prompt appears on its person's display or terminal.
    public static let variables = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS",
        "SSH_TTY", "TERM", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
    ]

    /// The feature of an agent that stores items for programs on the bus, and of a bus service that serves them.
    public static let items = "items"
    /// The feature of a client that can ask for a PIN.
    public static let pin = "pin"
    /// The feature of a client that can ask for a touch.
    public static let touch = "touch"

    /// How the agent may ask the person who uses a client.
    public enum Asking: String, Sendable, Codable {
        /// At the client's terminal: the agent sends questions to the client.
        case terminal
        /// By the agent, with a program that shows a window.
        case agent
        /// Not at all: a request that needs a question is refused.
        case nobody
    }

    /// The version of the protocol.
    public var `protocol`: Int
    /// The name and version of the program, for people only.
    public var program: String
    /// The absolute path of the vault's file, also for a vault in the keyring; nil for any vault.
    public var vault: String?
    /// The names of features beyond this version.
    public var features: [String]
    /// How the agent may ask the person; sent by a client.
    public var asks: Asking
    /// The environment variables in `variables` that are set; sent by a client.
    public var environment: [String: String]
    /// Whether the vault was locked at the greeting; sent by an agent, nil if the agent does not report it.
    public var isLocked: Bool?

    /// Makes a greeting; drops unknown variables, and values above 4096 bytes.
    public init(
        program: String,
        vault: String? = nil,
        features: [String] = [],
        asks: Asking = .nobody,
        environment: [String: String] = [:]
    ) {
        self.protocol = Self.version
        self.program = program
        self.vault = vault
        self.features = features
        self.asks = asks
        self.environment = environment.filter {
            Self.variables.contains($0.key) && $0.value.utf8.count <= 4096
        }
    }
}

extension Hello {
    /// Decodes a greeting; optional fields that are missing are empty.
    ///
    /// For another version only the version is read, because its other fields may have other meanings.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let version = try fields.decode(Int.self, forKey: .protocol)
        guard version == Self.version else {
            self.init(program: "")
            self.protocol = version
            return
        }
        self.init(
            program: String(try fields.decode(String.self, forKey: .program).prefix(64)),
            vault: try fields.decodeIfPresent(String.self, forKey: .vault),
            features: try fields.decodeIfPresent([String].self, forKey: .features) ?? [],
            asks: try fields.decodeIfPresent(Asking.self, forKey: .asks) ?? .nobody,
            environment: try fields.decodeIfPresent([String: String].self, forKey: .environment) ?? [:]
        )
        isLocked = try fields.decodeIfPresent(Bool.self, forKey: .isLocked)
    }

    /// The frames that carry this greeting: a client's first frame, or the agent's reply.
    ///
    /// - Throws: `tooLong`.
    package func frames(_ kind: FrameKind) throws(FrameError) -> [Frame] {
        let word = "hello"
        return try Frame.message(
            kind,
            request: 0,
            Greeting(
                request: kind == .request ? word : nil,
                reply: kind == .reply ? word : nil,
                hello: self
            )
        )
    }
}

/// The content of a hello frame.
package struct Greeting: Codable {
    /// The word `hello`, in `request` from a client and in `reply` from an agent: other versions look for it.
    let request, reply: String?
    package let hello: Hello
}
