/// The first frame of each side.
///
/// Versions are compared as a whole, the smaller differences are names in `features`.
public struct Hello: Equatable, Sendable, Codable {
    /// The version of the protocol that this program speaks; another number is another protocol.
    ///
    /// 2 since an error frame has the vault's own error in `cause`, 3 since some operations have other arguments and
    /// answers, such as `code.find`, 4 since messages are CBOR, 5 since codes of suite 02 are made, 6 since there are leases,
    /// 7 since those cover SSH keys and items, and a request that waits is answered from elsewhere, 8 since a lease may be for
    /// a process other than the client's.
    public static let version = 8
    /// Environment variables that a client hands over, so that a prompt appears where its person is.
    public static let variables = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS",
        "SSH_TTY", "TERM", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
    ]

    /// The feature of an agent that keeps items for programs on the bus, and of a front that serves them.
    public static let items = "items"
    /// The feature of a client that can ask for a PIN.
    public static let pin = "pin"
    /// The feature of a client that can ask for a touch.
    public static let touch = "touch"

    /// How the person behind a client may be asked.
    public enum Asking: String, Sendable, Codable {
        /// At the client's terminal: questions travel back.
        case terminal
        /// By the agent, with a program that shows a window.
        case agent
        /// Not at all: what needs a question is refused.
        case nobody
    }

    /// The version of the protocol.
    public var `protocol`: Int
    /// Name and version of the program, for people, not for programs.
    public var program: String
    /// The absolute path of the vault's file, also where a keyring keeps it; nil for whichever it is.
    public var vault: String?
    /// What it can do beyond this version.
    public var features: [String]
    /// From a client: how its person may be asked.
    public var asks: Asking
    /// From a client: those of `variables` that are set.
    public var environment: [String: String]
    /// From an agent: whether the vault was locked when it greeted; nil from one that does not say.
    public var isLocked: Bool?

    /// A greeting.
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
    /// Reads what another program sent: a field that is missing is empty.
    ///
    /// If the version is another, no other field is read: fields may mean something else there.
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

    /// The frame in which it travels: a client's first frame, or the agent's reply.
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

/// What is in the frame of a hello.
package struct Greeting: Codable {
    /// `hello` from a client, and `reply` the same from an agent: other versions look for it.
    let request, reply: String?
    package let hello: Hello
}
