internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultKit

/// `hsip ssh host replace-key NAME|HOST[:PORT]`.
struct SSHHostReplaceKey: Command {
    static let path = "ssh host replace-key"
    static let configuration = CommandConfiguration(
        commandName: "replace-key",
        abstract: "Replace the key of a host that was reinstalled.",
        discussion: """
            hsip asks the host for its keys without login, shows them beside the old ones and asks for the \
            fingerprint that the owner gave you. The old keys stay in the history.

              hsip ssh host replace-key db1
              hsip ssh host replace-key db1 --expect SHA256:…
              hsip ssh host replace-key db1 --key new_host_key.pub
            """
    )

    @Argument(help: "The host: a profile's name, or HOST[:PORT].", completion: .hosts)
    var name: String

    @Option(
        help: ArgumentHelp(
            "The new key: a .pub file, known_hosts lines, or - for stdin.",
            valueName: "file"
        ),
        completion: .file()
    )
    var key: String?

    @Option(help: ArgumentHelp("The new key's fingerprint, as you were given it.", valueName: "SHA256:…"))
    var expect: String?

    @Option(help: ArgumentHelp("Replace only the key with this fingerprint.", valueName: "SHA256:…"))
    var old: String?

    @Option(help: ArgumentHelp("Seconds to wait for the host (default: 30).", valueName: "seconds"))
    var timeout: String?

    func run(_ context: Context) async throws {
        let expected = try expect.map { (text) throws(Failure) in try TypedFingerprint.read(text) }
        let old = try old.map { (text) throws(Failure) in try TypedFingerprint.read(text) }
        let probe = try HostProbe(context, timeout: timeout)
        let vault = try await context.openVault()
        let names = HostNames(context, vault)
        let target = try await names.target(name, exactly: true)
        let before = try await vault(Operations.hostKeys, target.name).filter {
            $0.isCurrent && $0.host.marker == nil
        }
        guard before.contains(where: { old == nil || $0.key.fingerprint == old }) else {
            if before.isEmpty { try await names.checkKnown(target, name) }
            throw Failure(
                .unknownHostKey,
                "\(target.shown) has no such key yet",
                hint: "hsip ssh host trust \(ShellWord.quoted(target.word))"
            )
        }
        let judgement: HostKeyJudgement
        if let key {
            let keys = try HostKeyFile.keys(in: key, for: target.name)
            judgement = try await HostKeyJudgement(keys, of: target, isProbed: false, vault)
        } else {
            judgement = try await HostKeyJudgement(
                probe.keys(of: target.address),
                of: target,
                isProbed: true,
                vault
            )
        }
        let words = HostKeyWords(judgement, context)
        let fingerprint = try expected ?? ask(words, context)
        guard let new = judgement.keys.first(where: { $0.key.fingerprint == fingerprint }) else {
            throw words.differs()
        }
        guard new.verdict != .revoked else { throw words.revoked() }
        let outcome = try await vault(
            Operations.replaceHostKey,
            target.name,
            new.key,
            fingerprint,
            old,
            .compared
        )
        for line in outcome.replaced {
            context.output.say("\(HostKeyCells.words(line.key)) is in the history of \(target.shown).")
        }
        context.output.say("\(target.shown) is known by \(HostKeyCells.words(outcome.line.key)) now.")
        try context.output.succeed([
            "host": .optional(target.profile?.name), "lookupName": .text(target.name.lookup),
            "new": .hostKey(outcome.line), "old": .hostKeys(outcome.replaced),
        ])
    }

    /// The fingerprint that the user typed: a key is replaced in no other way.
    private func ask(_ words: HostKeyWords, _ context: Context) throws -> Fingerprint {
        let keys = words.judgement.keys.filter { $0.verdict != .match && $0.verdict != .revoked }.map(\.key)
        guard !keys.isEmpty else {
            // A host that still shows the revoked key needs a new key first.
            guard words.judgement.keys(.revoked).isEmpty else { throw words.revoked() }
            throw Failure(
                .hostKeyKnown,
                "\(words.judgement.target.shown) shows its trusted key; nothing to replace",
                hint: "hsip ssh host show \(ShellWord.quoted(words.judgement.target.word))"
            )
        }
        guard context.terminal.isAvailable else { throw words.uncompared(keyFile: key) }
        let question = context.question(
            "To replace the trusted key, type the fingerprint you were given",
            after: words.comparison(keys) + words.pictures(keys)
        )
        let typed = try context.terminal.ask(question, flag: "--expect SHA256:…")
        guard !typed.isEmpty else { throw ConsoleError.refused }
        return try TypedFingerprint.read(typed)
    }
}
