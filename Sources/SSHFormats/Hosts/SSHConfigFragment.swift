/// The file that `Include` in ~/.ssh/config reads: the profiles, and the vault's command for checking host keys.
///
/// The file is written completely or not at all: a profile name that cannot be typed after `ssh`, or a path that ssh
/// would misread, is an error.
public struct SSHConfigFragment: Hashable, Sendable {
    /// The first line of every such file, by which the file is recognised.
    public static let heading =
        "# Made by hsip from the hosts in the vault; it is written anew when they change."

    /// The profiles in their order, then the settings of every host.
    public let blocks: [Block]

    /// Creates the settings.
    ///
    /// - Throws: `SSHFormatError.labelIsNoAlias`; `duplicateAlias`; `badPath` for a path that is not absolute (or
    ///   below `~/`, for a `.pub` file), or has characters that ssh would misread.
    public init(_ entries: [Entry], places: Places) throws(SSHFormatError) {
        var blocks: [Block] = []
        var aliases: Set<String> = []
        for (index, entry) in entries.enumerated() {
            let block = try Self.block(of: entry)
            guard aliases.insert(entry.alias.lowercased()).inserted else {
                throw .duplicateAlias(index: index)
            }
            blocks.append(block)
        }
        blocks.append(try Self.common(places))
        self.blocks = blocks
    }

    /// The file, with a line feed at the end.
    public var text: String {
        var lines = [Self.heading]
        for block in blocks {
            lines.append(block.alias.map { "Host \($0)" } ?? "Match all")
            lines += block.settings.map { "    \($0.keyword) \($0.text)" }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns the settings of one profile.
    ///
    /// - Throws: `SSHFormatError.labelIsNoAlias`; `badPath`.
    public static func block(of entry: Entry) throws(SSHFormatError) -> Block {
        guard (try? HostName(alias: entry.alias)) != nil else {
            throw .labelIsNoAlias
        }
        let profile = entry.profile
        // `%` begins a token in HostName, and precedes the zone of an IPv6 address.
        let host = profile.address.name.split(separator: "%", omittingEmptySubsequences: false)
        var settings = [Setting("HostName", host.joined(separator: "%%"), meaning: profile.address.name)]
        if profile.address.port != HostName.standardPort {
            settings.append(Setting("Port", String(profile.address.port)))
        }
        settings.append(Setting("User", profile.user))
        if let name = profile.hostKeyAlias { settings.append(Setting("HostKeyAlias", name.name)) }
        if let file = entry.publicKeyFile {
            let (text, meaning) = try path(file, mayBeHome: true)
            settings.append(Setting("IdentityFile", text, meaning: meaning))
            // ssh tries these certificates before the plain key. Some versions try certificates beside the key after
            // it.
            for file in entry.certificateFiles {
                let (text, meaning) = try path(file, mayBeHome: true)
                settings.append(Setting("CertificateFile", text, meaning: meaning))
            }
            settings.append(Setting("IdentitiesOnly", "yes"))
        }
        if profile.authentication == .password {
            settings.append(Setting("PreferredAuthentications", "password,keyboard-interactive"))
        }
        return Block(alias: entry.alias, settings: settings)
    }

    private static func common(_ places: Places) throws(SSHFormatError) -> Block {
        var settings: [Setting] = []
        if let socket = places.agentSocket {
            // `ssh -G` prints this path expanded, unlike the other paths.
            settings.append(Setting("IdentityAgent", try path(socket).text, meaning: socket))
        }
        var command = try path(places.program).text
        // In a command, ssh expands `%` only in the arguments.
        guard !command.contains("%") else { throw .badPath }
        if let vault = places.vault { command += " --vault \(try word(vault).text)" }
        settings += [
            Setting("KnownHostsCommand", "\(command) \(Self.lookup)"),
            Setting("UserKnownHostsFile", "none"), Setting("GlobalKnownHostsFile", "none"),
            Setting("StrictHostKeyChecking", "yes", meaning: "true"),
            // Either setting would let ssh accept a key, even a changed or revoked one, without a check by the vault.
            Setting("VerifyHostKeyDNS", "no", meaning: "false"),
            Setting("NoHostAuthenticationForLocalhost", "no"),
        ]
        return Block(alias: nil, settings: settings)
    }

    /// The values about the offered key that ssh passes to the vault (TOKENS in ssh_config(5)).
    private static let lookup =
        "ssh known-hosts --for %I --host %H --port %p --alias %k --type %t --key %K"

    /// A path as one word of ssh_config.
    private static func path(
        _ path: String,
        mayBeHome: Bool = false
    ) throws(SSHFormatError) -> (text: String, meaning: String) {
        guard path.hasPrefix("/") || (mayBeHome && path.hasPrefix("~/")), path.utf8.count > 1 else {
            throw .badPath
        }
        return try word(path)
    }

    /// Encodes one word of ssh_config: `%` is doubled, and a word with a space is quoted.
    private static func word(_ text: String) throws(SSHFormatError) -> (text: String, meaning: String) {
        let refused = Array("\"'\\$`#*?[]".utf8)
        guard (1...HostProfile.longestPath).contains(text.utf8.count), text.utf8.first != 0x2D,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && !refused.contains($0) })
        else { throw .badPath }
        let escaped = text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        return (escaped.contains(" ") ? "\"\(escaped)\"" : escaped, escaped)
    }
}
