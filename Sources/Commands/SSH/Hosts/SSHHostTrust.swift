internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultKit

/// `hsip ssh host trust NAME|HOST[:PORT]`.
struct SSHHostTrust: Command {
    static let path = "ssh host trust"
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Trust a host's keys before the first connection.",
        discussion: """
            Without --key, hsip asks the host for its keys. Compare the fingerprint with one from the \
            owner or the host's own console. -y accepts the keys of a new host unseen, but never another \
            key of a known host: use hsip ssh host replace-key if the host was reinstalled, or \
            --additional for a further key of the same machine.

              hsip ssh host trust db1
              hsip ssh host trust db1.example.org:2222 --expect SHA256:…
            """
    )

    @Argument(help: "The host: a profile's name, or HOST[:PORT].", completion: .hosts)
    var name: String

    @Option(
        help: ArgumentHelp("The key: a .pub file, known_hosts lines, or - for stdin.", valueName: "file"),
        completion: .file()
    )
    var key: String?

    @Option(
        help: ArgumentHelp("The fingerprint you were given; may be repeated.", valueName: "SHA256:…")
    )
    var expect: [String] = []

    @Flag(help: "Add a further key to a host that is known already.")
    var additional = false

    @Option(help: ArgumentHelp("Seconds to wait for the host (default: 30).", valueName: "seconds"))
    var timeout: String?

    func run(_ context: Context) async throws {
        let expected = try TypedFingerprint.read(expect)
        let probe = try HostProbe(context, timeout: timeout)
        let vault = try await context.openVault()
        let target = try await HostNames(context, vault).target(name)
        let judgement: HostKeyJudgement
        if let key {
            let keys = try HostKeyFile.keys(in: key, for: target.name)
            judgement = try await HostKeyJudgement(keys, of: target, isProbed: false, vault)
        } else {
            judgement = try await probe.judgement(of: target, vault)
        }
        let candidates = try candidates(judgement, expected, context)
        guard !candidates.isEmpty else { return try await succeed(judgement, [], vault, context) }
        let (keys, source) = try consent(to: candidates, judgement, expected, context)
        let taken = try await vault(Operations.trustHostKeys, keys, target.name, source, additional)
        let confirmed = taken.filter { !$0.isNew }.map(\.line.key)
        for key in confirmed {
            context.output.say("\(target.shown): \(HostKeyCells.words(key)) is confirmed.")
        }
        try await succeed(judgement, taken.filter(\.isNew).map(\.line.key), vault, context)
    }

    /// The keys that would be new to the vault; a key that must not be accepted is an error.
    private func candidates(
        _ judgement: HostKeyJudgement,
        _ expected: [Fingerprint],
        _ context: Context
    ) throws(Failure) -> [HostKeyJudgement.Shown] {
        let words = HostKeyWords(judgement, context)
        let meant = judgement.keys.filter { expected.isEmpty || expected.contains($0.key.fingerprint) }
        let isComplete = expected.allSatisfy { wanted in meant.contains { $0.key.fingerprint == wanted } }
        guard isComplete else { throw words.differs() }
        if meant.contains(where: { $0.verdict == .revoked }) { throw words.revoked() }
        let others = meant.filter { $0.verdict == .changed || $0.verdict == .additional }
        if !others.isEmpty, !additional {
            if others.contains(where: { $0.verdict == .changed }) { throw words.changed() }
            // Keys whose fingerprints were not requested are only reported.
            guard expected.isEmpty else { throw words.additional() }
            context.output.note("the host shows untrusted keys beside a trusted key")
            context.output.hint(words.adding)
        }
        // After a restore a trusted key has to be confirmed again: it may have been replaced meanwhile.
        let uncompared = meant.filter { $0.verdict == .match && $0.lines.contains(where: \.isUncompared) }
        return meant.filter { $0.verdict == .new } + uncompared + (additional ? others : [])
    }

    /// Asks which keys to trust, and returns them with the reason for the trust.
    private func consent(
        to candidates: [HostKeyJudgement.Shown],
        _ judgement: HostKeyJudgement,
        _ expected: [Fingerprint],
        _ context: Context
    ) throws -> (keys: [PublicKey], source: HostKeySource) {
        let keys = candidates.map(\.key)
        guard expected.isEmpty else { return (keys, .compared) }
        let words = HostKeyWords(judgement, context)
        let target = judgement.target
        if candidates.allSatisfy({ $0.verdict == .new }) {
            // If the host had another key before, hsip asks even with --yes.
            let mayAgree = context.globals.saysYes && !judgement.hadOtherKeys
            guard context.terminal.isAvailable || mayAgree else { throw words.unasked() }
            let question = context.question("Trust \(target.shown)?", after: words.introduction(keys))
            guard try mayAgree || context.terminal.confirm(question, flag: Self.flag) else {
                throw ConsoleError.refused
            }
            return (keys, judgement.isProbed ? .firstUse : .imported)
        }
        // For another key of a known host, or one not compared since a restore, --yes does not replace a comparison.
        // A trusted key beside it proves nothing either: an attacker in between can show that key, too, as no
        // signature by it was seen.
        let question = context.question(Self.typing, after: words.comparison(keys) + words.pictures(keys))
        let typed = try context.terminal.ask(question, flag: Self.flag)
        guard !typed.isEmpty else { throw ConsoleError.refused }
        let fingerprint = try TypedFingerprint.read(typed)
        guard let key = keys.first(where: { $0.fingerprint == fingerprint }) else { throw words.differs() }
        return ([key], .compared)
    }

    private static let flag = "--expect SHA256:…"
    private static let typing = "To continue, type the fingerprint you were given"

    private func succeed(
        _ judgement: HostKeyJudgement,
        _ taken: [PublicKey],
        _ vault: any VaultService,
        _ context: Context
    ) async throws {
        let target = judgement.target
        for key in taken { context.output.say("\(target.shown) is known by \(HostKeyCells.words(key)) now.") }
        if taken.isEmpty { context.output.say("\(target.shown) is trusted already.") }
        try context.output.succeed(
            .trust(target, try await vault(Operations.hostKeys, target.name), added: taken)
        )
    }
}
