internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultKit

/// `hsip ssh host revoke NAME|HOST[:PORT]`.
struct SSHHostRevoke: Command {
    static let path = "ssh host revoke"
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Refuse a host's keys for good, after a loss or theft.",
        discussion: """
            Without --fingerprint or --key, hsip revokes all keys of the host. A revoked key is refused \
            even if it is trusted elsewhere. hsip ssh host export writes it as @revoked.

              hsip ssh host revoke db1
              hsip ssh host revoke db1 --fingerprint SHA256:…
              hsip ssh host revoke db1 --key stolen.pub --everywhere
            """
    )

    @Argument(help: "The host: a profile's name, or HOST[:PORT].", completion: .hosts)
    var name: String

    @Option(help: ArgumentHelp("Revoke only this key of the host; may be repeated.", valueName: "SHA256:…"))
    var fingerprint: [String] = []

    @Option(
        help: ArgumentHelp(
            "Revoke this key, known or not: a .pub file, or - for stdin.",
            valueName: "file"
        ),
        completion: .file()
    )
    var key: String?

    @Flag(help: "Revoke the key for every host.")
    var everywhere = false

    func run(_ context: Context) async throws {
        guard key == nil || fingerprint.isEmpty else {
            throw Failure.usage("--key and --fingerprint exclude each other")
        }
        let only = try TypedFingerprint.read(fingerprint)
        let vault = try await context.openVault()
        let names = HostNames(context, vault)
        let target = try await names.target(name, exactly: true)
        if key == nil { try await names.checkKnown(target, name) }
        let keys = try await keys(of: target, only, vault)
        let whom = everywhere ? "any host" : target.shown
        let question = context.question(
            "Revoke \(keys.count == 1 ? "this key" : "these \(keys.count) keys")? ssh will never accept "
                + "\(keys.count == 1 ? "it" : "them") for \(whom) again.",
            after: keys.map { "  \(HostKeyCells.words($0))" }
        )
        guard try context.agrees(question) else { throw ConsoleError.refused }
        var revoked: [PublicKey] = []
        for key in keys {
            let mark = try await vault(Operations.revokeHostKey, key, everywhere ? nil : target.name)
            revoked.append(mark.line.key)
            context.output.say("\(HostKeyCells.words(key)) is revoked for \(whom).")
        }
        try context.output.succeed([
            "host": .optional(target.profile?.name), "lookupName": .text(target.name.lookup),
            "revoked": .texts(revoked.map(\.fingerprint.description)),
        ])
    }

    private func keys(of target: HostTarget, _ only: [Fingerprint], _ vault: any VaultService) async throws
        -> [PublicKey]
    {
        if let key { return try HostKeyFile.keys(in: key, for: target.name) }
        let lines = try await vault(Operations.hostKeys, target.name)
        var keys: [PublicKey] = []
        for line in lines
        where line.host.marker == nil && (line.isCurrent || only.contains(line.key.fingerprint)) {
            guard only.isEmpty || only.contains(line.key.fingerprint),
                !keys.contains(where: { $0.isSameKey(as: line.key) })
            else { continue }
            keys.append(line.key)
        }
        let isComplete = only.allSatisfy { wanted in keys.contains { $0.fingerprint == wanted } }
        guard !keys.isEmpty, isComplete else {
            throw Failure(
                .unknownHostKey,
                "\(target.shown) has no such key in the vault",
                hint: "hsip ssh host revoke \(ShellWord.quoted(target.word)) --key FILE"
            )
        }
        return keys
    }
}
