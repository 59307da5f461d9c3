/// The file that `Include` in ~/.ssh/config brings in: the profiles, and the vault as the judge of host keys.
///
/// It is printed whole or not at all: a profile that could not be typed behind `ssh`, or a path that ssh would
/// read as something else, is refused with an error.
public struct SSHConfigFragment: Hashable, Sendable {
    /// Where the programs and files are that ssh has to find.
    public struct Places: Hashable, Sendable {
        /// The vault's program.
        public var program: String
        /// The socket of an agent that ssh shall ask for keys; nil leaves that to the surroundings.
        public var agentSocket: String?

        /// Absolute paths.
        public init(program: String, agentSocket: String? = nil) {
            self.program = program
            self.agentSocket = agentSocket
        }
    }

    /// A profile, and where the public half of its key lies.
    public struct Entry: Hashable, Sendable {
        /// The profile.
        public let profile: HostProfile
        /// The path of the `.pub` file; nil leaves the choice of keys to ssh.
        public let publicKeyFile: String?

        /// A profile with its file.
        public init(_ profile: HostProfile, publicKeyFile: String? = nil) {
            self.profile = profile
            self.publicKeyFile = publicKeyFile
        }
    }

    /// The file, with a line feed at the end.
    public let text: String

    /// Prints the profiles in their order, then what holds for every host.
    ///
    /// - Throws: `SSHFormatError.labelIsNoAlias`; `duplicateAlias`; `badPath` for one that is not absolute (or
    ///   below `~/`, for a `.pub` file) or has characters that ssh would read as something else.
    public init(_ entries: [Entry], places: Places) throws(SSHFormatError) {
        var lines: [String] = []
        var aliases: Set<String> = []
        for (index, entry) in entries.enumerated() {
            guard let alias = entry.profile.alias else { throw .labelIsNoAlias }
            guard aliases.insert(alias.lowercased()).inserted else { throw .duplicateAlias(index: index) }
            lines += try Self.lines(of: entry, alias: alias)
        }
        lines.append("Match all")
        if let socket = places.agentSocket {
            lines.append("    IdentityAgent \(try Self.path(socket, mayBeHome: false))")
        }
        let program = try Self.path(places.program, mayBeHome: false)
        // Of a command, ssh expands `%` in the arguments only.
        guard !program.contains("%") else { throw .badPath }
        lines.append("    KnownHostsCommand \(program) \(Self.lookup)")
        lines.append("    UserKnownHostsFile none")
        lines.append("    GlobalKnownHostsFile none")
        lines.append("    StrictHostKeyChecking yes")
        text = lines.map { $0 + "\n" }.joined()
    }

    /// What ssh tells the vault about the key it has to judge (TOKENS in ssh_config(5)).
    private static let lookup =
        "ssh known-hosts --for %I --host %H --port %p --alias %k --type %t --key %K"

    private static func lines(of entry: Entry, alias: String) throws(SSHFormatError) -> [String] {
        let profile = entry.profile
        // `%` begins a token in HostName, and stands in the zone of an IPv6 address.
        let host = profile.address.name.split(separator: "%", omittingEmptySubsequences: false)
        var lines = ["Host \(alias)", "    HostName \(host.joined(separator: "%%"))"]
        if profile.address.port != HostName.standardPort { lines.append("    Port \(profile.address.port)") }
        lines.append("    User \(profile.user)")
        if let name = profile.hostKeyAlias { lines.append("    HostKeyAlias \(name.name)") }
        if let file = entry.publicKeyFile {
            lines.append("    IdentityFile \(try path(file, mayBeHome: true))")
            lines.append("    IdentitiesOnly yes")
        }
        if profile.authentication == .password {
            lines.append("    PreferredAuthentications password,keyboard-interactive")
        }
        return lines
    }

    /// A path as one word of ssh_config: `%` doubled, in quotes where it has a space.
    private static func path(_ path: String, mayBeHome: Bool) throws(SSHFormatError) -> String {
        let start = path.hasPrefix("/") || (mayBeHome && path.hasPrefix("~/"))
        let refused = Array("\"'\\$`#*?[]".utf8)
        guard start, (2...HostProfile.longestPath).contains(path.utf8.count),
            path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && !refused.contains($0) })
        else { throw .badPath }
        let escaped = path.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        return escaped.contains(" ") ? "\"\(escaped)\"" : escaped
    }
}
