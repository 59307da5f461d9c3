internal import Presentation
internal import SSHFormats
internal import VaultKit

/// Turns a word of the command line into a host: a profile by its name or identifier, or any host by its own
/// name.
struct HostNames {
    private let vault: any VaultService
    private let search: NameSearch<HostSummary>

    init(_ context: Context, _ vault: any VaultService) {
        self.vault = vault
        search = NameSearch(context: context, lookup: .hosts(vault), name: \.name, words: .host)
    }

    /// The profile that a word names.
    ///
    /// With `exactly` no beginning of a name will do. Throws `unknownSSHHost` with the name that is nearest,
    /// or `sshHostInTrash`.
    func profile(_ word: String, exactly: Bool = false, inTrash: Bool = false) async throws -> HostSummary {
        let (host, near) = try await find(word, exactly: exactly, inTrash: inTrash)
        guard let host else { throw search.unknown(word, near: near, inTrash: inTrash) }
        return host
    }

    /// The host that a word names; what is no profile's name is a host's own.
    ///
    /// - Throws: `sshHostInTrash`; `badHostName`; `badPort`.
    func target(_ word: String, exactly: Bool = false) async throws -> HostTarget {
        if !HostWord.isAddress(word), let host = try await find(word, exactly: exactly).host {
            return HostTarget(host)
        }
        return HostTarget(try HostWord.host(word))
    }

    /// Makes sure that anything is known of a host: a profile, or a key, be it history.
    ///
    /// - Throws: `unknownSSHHost` with the name that is nearest.
    func checkKnown(_ target: HostTarget, _ word: String) async throws {
        guard target.profile == nil, try await vault(Operations.hostKeys, target.name).isEmpty else { return }
        throw search.unknown(word, near: try await search.find(word, exactly: true).near)
    }

    /// The name that the user typed for a new profile.
    ///
    /// - Throws: `badSSHHostName`.
    static func new(_ word: String) throws -> String {
        do throws(SSHFormatError) {
            return try HostRecord.name(word)
        } catch {
            throw Failure(
                .badHostName,
                "a host's name, which you type after ssh, has up to \(HostRecord.longestName) "
                    + "letters, digits and . _ -, and does not begin with a dash",
                hint: "hsip ssh host add NAME --address HOST --user USER --key KEY"
            )
        }
    }

    private func find(
        _ word: String,
        exactly: Bool = false,
        inTrash: Bool = false
    ) async throws -> (host: HostSummary?, near: [String]) {
        let (host, near) = try await search.find(word, exactly: exactly, inTrash: inTrash)
        if let host { return (host, []) }
        // A profile that cannot be read is not one that is not there.
        do {
            _ = try await vault(Operations.sshHost, word.lowercased())
        } catch VaultError.ssh(.unknownHost) {}
        return (nil, near)
    }
}

/// A machine that a word names: by a profile of the vault, or by its own name.
struct HostTarget {
    /// The profile, where the word is the name of one.
    let profile: HostSummary?
    /// Where it can be asked for its keys.
    let address: HostName
    /// What its keys are known under.
    let name: HostName

    init(_ profile: HostSummary) {
        self.profile = profile
        address = profile.profile.address
        name = profile.profile.lookupName
    }

    init(_ host: HostName) {
        profile = nil
        address = host
        name = host
    }

    /// What to type for it: the name of the profile, or the host with its port.
    var word: String { profile?.name ?? HostWord.text(address) }

    /// What to call it: `db1`, or `db1 ([192.0.2.7]:2222)` where the name alone does not say what is looked
    /// up.
    var shown: String {
        guard let profile, profile.name != name.lookup else { return name.lookup }
        return "\(profile.name) (\(name.lookup))"
    }
}

/// A host as people write it: `host`, `host:port`, `[host]:port`, or an IPv6 address with or without
/// brackets.
enum HostWord {
    /// The host that a word names.
    ///
    /// - Throws: `SSHFormatError.badHostName`; `badPort`.
    static func host(_ word: String) throws(SSHFormatError) -> HostName {
        if word.hasPrefix("["), word.hasSuffix("]") {
            return try HostName(host: String(word.dropFirst().dropLast()))
        }
        guard !word.hasPrefix("["), word.utf8.count(where: { $0 == 0x3A }) == 1 else {
            return try HostName(lookup: word)
        }
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return try HostName(host: String(parts[0]), port: try HostName.port(of: String(parts[1])))
    }

    /// Whether a word can only be a host and never the name of a profile.
    static func isAddress(_ word: String) -> Bool { word.contains(":") || word.contains("[") }

    /// How a host is written so that `host` reads it again.
    static func text(_ host: HostName) -> String {
        guard host.port != HostName.standardPort else { return host.name }
        return host.isIPv6 ? "[\(host.name)]:\(host.port)" : "\(host.name):\(host.port)"
    }
}
