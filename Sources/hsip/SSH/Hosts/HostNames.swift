internal import Console
internal import SSHFormats
internal import SafeText
internal import VaultKit

/// Turns a word of the command line into a host: a profile by its name or identifier, or any host by its own
/// name.
///
/// Exact for scripts; a person at a terminal may write the beginning of a profile's name, and is told which
/// it was.
struct HostNames {
    let context: Context
    let vault: any VaultService

    init(_ context: Context, _ vault: any VaultService) {
        self.context = context
        self.vault = vault
    }

    /// The profile that a word names.
    ///
    /// - Parameter exactly: no beginning of a name will do.
    /// - Throws: `unknownSSHHost` with the name that is nearest; `sshHostInTrash`.
    func profile(_ word: String, exactly: Bool = false, inTrash: Bool = false) async throws -> HostSummary {
        let hosts = try await vault.sshHosts(inTrash: inTrash)
        if let host = try await find(word, among: hosts, exactly: exactly, inTrash: inTrash) { return host }
        throw unknown(word, among: hosts.map(\.name))
    }

    /// The host that a word names; what is no profile's name is a host's own.
    ///
    /// - Throws: `sshHostInTrash`; `badHostName`; `badPort`.
    func target(_ word: String, exactly: Bool = false) async throws -> HostTarget {
        if !HostWord.isAddress(word) {
            let hosts = try await vault.sshHosts()
            if let host = try await find(word, among: hosts, exactly: exactly, inTrash: false) {
                return HostTarget(host)
            }
        }
        return HostTarget(try HostWord.host(word))
    }

    /// Makes sure that anything is known of a host: a profile, or a key, be it history.
    ///
    /// - Throws: `unknownSSHHost` with the name that is nearest.
    func checkKnown(_ target: HostTarget, _ word: String) async throws {
        guard target.profile == nil, try await vault.hostKeys(for: target.name).isEmpty else { return }
        throw unknown(word, among: try await vault.sshHosts().map(\.name))
    }

    /// The name that somebody typed for a new profile.
    ///
    /// - Throws: `badSSHHostName`.
    static func new(_ word: String) throws -> String {
        do throws(SSHFormatError) {
            return try HostRecord.name(word)
        } catch {
            throw Failure(
                .malformed,
                code: "badHostName",
                message: "the name of a host is what is typed behind ssh: up to \(HostRecord.longestName) "
                    + "letters, digits and . _ -, not beginning with a dash",
                hint: "hsip ssh host add NAME --address HOST --user USER --key KEY"
            )
        }
    }

    private func find(
        _ word: String,
        among hosts: [HostSummary],
        exactly: Bool,
        inTrash: Bool
    ) async throws -> HostSummary? {
        let name = word.lowercased()
        if let host = hosts.first(where: { $0.name == name || $0.profile.id.description == name }) {
            return host
        }
        if !exactly, isInteractive {
            let begun = name.isEmpty ? [] : hosts.filter { $0.name.hasPrefix(name) }
            if begun.count == 1, let host = begun.first {
                context.output.note(
                    Warning(
                        "prefixMatched",
                        "that is \(host.name)",
                        fields: [JSONMember("given", .text(word)), JSONMember("name", .text(host.name))]
                    )
                )
                return host
            }
        }
        if !inTrash, try await vault.sshHosts(inTrash: true).contains(where: { $0.name == name }) {
            throw Failure(
                .notFound,
                code: "sshHostInTrash",
                message: "\(context.output.display.name(word)) is in the trash",
                hint: "hsip ssh host restore \(ShellWord.quoted(name))"
            )
        }
        // A profile that cannot be read is not one that is not there.
        do {
            _ = try await vault.sshHost(name)
        } catch VaultError.ssh(.unknownHost) {}
        return nil
    }

    private var isInteractive: Bool {
        context.terminal.isAvailable
            && (context.console.inputIsTerminal || context.console.outputIsTerminal)
    }

    /// The failure for a word that names nothing.
    private func unknown(_ word: String, among names: [String]) -> Failure {
        let near = names.filter { NameDistance.between(word, $0) <= 2 || $0.hasPrefix(word) }.sorted()
        let question = near.isEmpty ? "" : "; did you mean \(near.prefix(3).joined(separator: " or "))?"
        return Failure(
            .notFound,
            code: "unknownSSHHost",
            message: "there is no host named \(context.output.display.name(word))\(question)",
            hint: "hsip ssh host list"
        )
    }
}
