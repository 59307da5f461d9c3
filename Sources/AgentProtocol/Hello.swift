internal import Text

/// The first frame of each side.
///
/// Versions are compared as a whole, the smaller differences are names in `features`.
public struct Hello: Equatable, Sendable {
    /// The version of the protocol that this program speaks; another number is another protocol.
    ///
    /// 2 since an error frame has the vault's own error in `cause`, 3 since some operations have other arguments and
    /// answers, such as `code.find`.
    public static let version = 3
    /// Environment variables that a client hands over, so that a prompt appears where its person is.
    public static let variables = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS",
        "SSH_TTY", "TERM", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
    ]

    /// The feature of an agent that keeps items for programs on the bus, and of a front that serves them.
    public static let items = "items"

    /// How the person behind a client may be asked.
    public enum Asking: String, Sendable {
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
    var json: JSONValue {
        var json = JSONValue.object([])
        json["protocol"] = .number("\(`protocol`)")
        json["program"] = .text(program)
        json["vault"] = vault.map { .text($0) }
        json["features"] = .list(features.map { .text($0) })
        json["asks"] = .text(asks.rawValue)
        json["environment"] = .object(
            environment.sorted { $0.key < $1.key }.map {
                JSONMember($0.key, .text($0.value))
            }
        )
        json["isLocked"] = isLocked.map { .bool($0) }
        return json
    }

    /// What another program sent: a field that is missing is empty, one that is not known is passed over.
    ///
    /// - Throws: `malformed` without a version or a program, or for a field that is something else.
    init(_ json: JSONValue) throws(FrameError) {
        guard case .object = json, let version = json["protocol"]?.integer,
            let program = json["program"]?.text
        else { throw .malformed }
        var variables: [String: String] = [:]
        for member in try json.fields("environment") {
            guard let value = member.value.text else { throw .malformed }
            variables[member.name] = value
        }
        guard let asks = Asking(rawValue: try json.word("asks") ?? Asking.nobody.rawValue) else {
            throw .malformed
        }
        self.init(
            program: String(program.prefix(64)),
            vault: try json.word("vault"),
            features: try json.words("features"),
            asks: asks,
            environment: variables
        )
        self.protocol = version
        isLocked = try json.truth("isLocked")
    }
}
