internal import Presentation
internal import SSHFormats
internal import VaultKit

/// Finds the host that a word on the command line names: a profile, by its name or identifier, or any host.
struct HostNames {
    private let vault: any VaultService
    private let search: NameSearch<HostSummary>

    init(_ context: Context, _ vault: any VaultService) {
        self.vault = vault
        search = NameSearch(context: context, lookup: .hosts(vault), name: \.name, words: .host)
    }

    /// The profile that a word names.
    ///
    /// With `exactly`, the beginning of a name is not enough. Throws `unknownSSHHost` with the nearest name,
    /// or `sshHostInTrash`.
    func profile(_ word: String, exactly: Bool = false, inTrash: Bool = false) async throws -> HostSummary {
        let (host, near) = try await find(word, exactly: exactly, inTrash: inTrash)
        guard let host else { throw search.unknown(word, near: near, inTrash: inTrash) }
        return host
    }

    /// The host that a word names; a word that is not a profile's name is a host name.
    ///
    /// - Throws: `sshHostInTrash`; `badHostName`; `badPort`.
    func target(_ word: String, exactly: Bool = false) async throws -> HostTarget {
        if !HostWord.isAddress(word), let host = try await find(word, exactly: exactly).host {
            return HostTarget(host)
        }
        return HostTarget(try HostWord.host(word))
    }

    /// Checks that the vault knows a host: by a profile, or by a present or former key.
    ///
    /// - Throws: `unknownSSHHost` with the nearest name.
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
        // A profile that cannot be read must not be reported as missing.
        do {
            _ = try await vault(Operations.sshHost, word.lowercased())
        } catch VaultError.ssh(.unknownHost) {}
        return (nil, near)
    }
}

/// A machine that a word names: by a profile in the vault, or by its host name.
struct HostTarget {
    /// The profile; nil if the word is not the name of one.
    let profile: HostSummary?
    /// The address to ask for the host's keys.
    let address: HostName
    /// The name that the host's keys are stored under.
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

    /// The word to type for the host: the name of the profile, or the host with its port.
    var word: String { profile?.name ?? HostWord.text(address) }

    /// The host as people read it: `db1`, or `db1 ([192.0.2.7]:2222)` if its keys are stored under another name.
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

    /// Whether a word can only be a host, never the name of a profile.
    static func isAddress(_ word: String) -> Bool { word.contains(":") || word.contains("[") }

    /// The text of a host that `host` can read.
    static func text(_ host: HostName) -> String {
        guard host.port != HostName.standardPort else { return host.name }
        return host.isIPv6 ? "[\(host.name)]:\(host.port)" : "\(host.name):\(host.port)"
    }
}
