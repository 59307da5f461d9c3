internal import CommandKit
internal import Console
internal import SSHFormats
internal import VaultKit

extension Context {
    /// Runs an act on the keys of a host; its refusals name the host.
    func explaining<R>(_ target: HostTarget, _ act: () async throws -> R) async throws -> R {
        do {
            return try await act()
        } catch VaultError.ssh(.unknownHostKey) {
            throw Failure(
                .unknownHostKey,
                "\(target.shown) has no such key in the vault",
                hint: "hsip ssh host show \(ShellWord.quoted(target.word))"
            )
        }
    }
}

extension JSONValue {
    /// What a host is known by after an act, and what came to it.
    static func trust(_ target: HostTarget, _ lines: [HostKeySummary], added: [PublicKey]) -> JSONValue {
        [
            "host": .optional(target.profile?.name), "lookupName": .text(target.name.lookup),
            "hostKeys": .hostKeys(lines.believedOfOneHost.filter(\.isCurrent)),
            "added": .list(added.map { .text($0.fingerprint.description) }),
        ]
    }
}
