internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import Text

/// The options for how a key may be used.
struct UseOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        exclusivity: .exclusive,
        help: "Ask before each use of the key."
    )
    var confirm: Bool?

    @Option(
        help: ArgumentHelp(
            "How long the key works after an unlock: 8h; 0s for no limit.",
            valueName: "time"
        )
    )
    var lifetime: String?

    @Option(
        name: .customLong("only-for"),
        help: ArgumentHelp(
            "Use the key only for this host; may be repeated; \"\" allows any.",
            valueName: "host"
        )
    )
    var hosts: [String] = []

    @Option(
        help: ArgumentHelp(
            "Sign in this namespace, such as git; may be repeated; \"\" forbids it.",
            valueName: "namespace"
        )
    )
    var sign: [String] = []

    @Flag(
        inversion: .prefixedNo,
        exclusivity: .exclusive,
        help: "Do not share the key with other machines."
    )
    var local: Bool?

    var isEmpty: Bool {
        confirm == nil && lifetime == nil && hosts.isEmpty && sign.isEmpty && local == nil
    }

    /// The seconds of `--lifetime`.
    func seconds() throws -> UInt32? {
        guard let lifetime else { return nil }
        guard let seconds = Durations.parse(lifetime), let number = UInt32(exactly: seconds) else {
            throw Failure.usage("--lifetime must be a time such as 90s, 8h or 7d")
        }
        return number
    }

    /// The hosts of `--only-for` as ssh looks them up; nil if the option is missing.
    func names() throws -> [String]? {
        try Self.list(hosts, "--only-for") { try HostName(lookup: $0).lookup }
    }

    /// The namespaces of `--sign`; nil if the option is missing.
    func namespaces() throws -> [String]? {
        try Self.list(sign, "--sign") { $0 }
    }

    /// The words of an option, each once and without empty words; nil if the option is missing.
    private static func list(
        _ words: [String],
        _ option: String,
        _ read: (String) throws -> String
    ) throws -> [String]? {
        guard !words.isEmpty else { return nil }
        var list: [String] = []
        for word in try words.filter({ !$0.isEmpty }).map(read) where !list.contains(word) {
            list.append(word)
        }
        guard list.count <= KeyUse.maximumNames else {
            throw Failure.usage("\(option) may be repeated at most \(KeyUse.maximumNames) times")
        }
        return list
    }

    /// The use of a new key.
    func use() throws -> KeyUse {
        var use = KeyUse()
        use.needsConfirmation = confirm ?? false
        use.isLocal = local ?? false
        use.lifetime = try seconds() ?? 0
        use.hosts = try names() ?? []
        use.namespaces = try namespaces() ?? []
        try use.check()
        return use
    }
}
