internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultKit

/// `hsip ssh host rm NAME|HOST[:PORT]`.
struct SSHHostRemove: Command {
    static let path = "ssh host rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Move a host's profile or keys to the trash for 30 days.",
        discussion: """
            If you remove a profile, the host's keys stay, because they identify the machine. With --keys, \
            or for a host without a profile, hsip removes the keys: the next connection asks as for a new \
            host, and the history keeps the old keys. A mark or an authority that covers more hosts goes \
            for all of them: type the names of its line, or give them with --expect.

              hsip ssh host rm db1
              hsip ssh host rm --keys db1
              hsip ssh host rm '[192.0.2.7]:2222' --fingerprint SHA256:…
            """
    )

    @Argument(help: "The host: a profile's name, or HOST[:PORT].", completion: .hosts)
    var name: String

    @Flag(help: "Remove the keys of the host, not its profile.")
    var keys = false

    @Option(
        help: ArgumentHelp(
            "Remove only this key, or the mark that revokes this key.",
            valueName: "SHA256:…"
        )
    )
    var fingerprint: String?

    @Option(
        help: ArgumentHelp(
            "With --fingerprint: the names in a line that covers more hosts.",
            valueName: "names"
        )
    )
    var expect: String?

    func run(_ context: Context) async throws {
        guard expect == nil || fingerprint != nil else {
            throw Failure.usage("--expect needs --fingerprint")
        }
        let only = try fingerprint.map { (text) throws(Failure) in try TypedFingerprint.read(text) }
        let vault = try await context.openVault()
        let names = HostNames(context, vault)
        let target = try await names.target(name, exactly: true)
        try await names.checkKnown(target, name)
        guard let profile = target.profile, !keys, only == nil else {
            return try await removeKeys(of: target, only, vault, context)
        }
        let rules = await RuleNames(vault, by: .host)
        let host = try await vault(Operations.removeSSHHost, profile.name)
        rules.tellRemoved(profile.name, profile.profile.lookupName.lookup, context)
        await context.refreshSSHSettings(vault)
        context.output.say(
            "\(host.name) is in the trash: hsip ssh host restore \(ShellWord.quoted(host.name))"
        )
        try context.output.succeed([
            "host": try await .sshHost(host, vault), "lookupName": .text(target.name.lookup), "hostKeys": [],
        ])
    }

    private func removeKeys(
        of target: HostTarget,
        _ only: Fingerprint?,
        _ vault: any VaultService,
        _ context: Context
    ) async throws {
        let current = try await vault(Operations.hostKeys, target.name).filter(\.isCurrent)
        let marks = current.filter { line in
            line.host.marker != nil && only.map { $0 == line.key.fingerprint } ?? false
        }
        var gone: [HostKeySummary] = []
        if !marks.isEmpty {
            let removal = MarkRemoval(marks, of: target, context)
            guard try removal.isWanted(expecting: expect) else { throw ConsoleError.refused }
            for mark in marks { gone.append(try await vault(Operations.removeHostKey, mark.id)) }
        } else {
            guard expect == nil else {
                throw Failure.usage("--expect works only for a mark or an authority")
            }
            gone = try await context.explaining(target) {
                try await vault(Operations.removeHostKeys, target.name, only)
            }
        }
        for line in gone { context.output.say("\(HostKeyCells.words(line.key)) is removed.") }
        context.output.hint("hsip ssh host restore --keys \(ShellWord.quoted(target.word))  restores the key")
        try context.output.succeed([
            "host": .null, "lookupName": .text(target.name.lookup), "hostKeys": .hostKeys(gone),
        ])
    }
}
