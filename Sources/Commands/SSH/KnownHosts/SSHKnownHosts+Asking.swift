internal import Presentation
internal import SSHFormats
internal import System
internal import Text
internal import VaultKit

extension SSHKnownHosts {
    /// Trust on first use: asks at the terminal, stores the key, and only then answers ssh.
    ///
    /// No option answers for the person.
    func ask(
        _ query: HostQuery,
        _ key: PublicKey,
        _ found: HostKeyCheck,
        _ vault: any VaultService,
        _ context: Context
    ) async throws -> [String] {
        let texts = await HostKeyTexts(context, vault, query.name, offered: key)
        guard context.terminal.isAvailable else { throw texts.trustRequired(found.check.refusal) }
        var bare: [KnownHost] = []
        if let name = query.name.withoutPort { bare = try await vault(Operations.knownHosts, [name]) }
        let lines = texts.introduction(
            history: found.history,
            others: try await names(of: key, vault, context),
            withoutPort: bare.filter { $0.marker == nil }.map(\.key),
            refusal: found.check.refusal
        )
        guard try agrees(context.question("Trust it from now on?", after: lines), context) else {
            throw texts.declined()
        }
        guard try await isTrusted(key, query, vault) else {
            // Another connection stored another key meanwhile.
            throw texts.changed(try await vault(Operations.checkHostKey, key, query.name, false).lines)
        }
        return [HostAnswer.line(query.name.lookup, key, nil)]
    }

    /// Whether the person says yes; a closed prompt counts as no.
    private func agrees(_ question: String, _ context: Context) throws(ConsoleError) -> Bool {
        do throws(ConsoleError) {
            return try context.terminal.confirm(question, flag: "hsip ssh host trust")
        } catch {
            guard error == .refused else { throw error }
            return false
        }
    }

    /// Stores the key; false if the host has another key by now.
    private func isTrusted(_ key: PublicKey, _ query: HostQuery, _ vault: any VaultService) async throws
        -> Bool
    {
        do {
            _ = try await vault.trustHostKey(key.plain, for: query.name, source: .firstUse)
            return true
        } catch VaultError.ssh(.hostKeyChanged) {
            return false
        }
    }

    /// The other names that a key is known under.
    private func names(of key: PublicKey, _ vault: any VaultService, _ context: Context) async throws
        -> [String]
    {
        var names: [String] = []
        for line in try await vault(Operations.hostKeys, nil) where line.isCurrent && line.host.marker == nil
        {
            guard line.key.isSameKey(as: key.plain), !line.host.names.isHashed else { continue }
            names += line.host.names.names.map {
                context.output.display.cell(String(decoding: $0, as: UTF8.self))
            }
        }
        return names
    }
}
