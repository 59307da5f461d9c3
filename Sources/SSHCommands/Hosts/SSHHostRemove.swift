internal import ArgumentParser
internal import CommandKit
internal import Console
internal import Programs
internal import SSHFormats
internal import VaultKit

/// `hsip ssh host rm NAME|HOST[:PORT]`.
struct SSHHostRemove: Command {
    static let path = "ssh host rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Put a profile, or the keys of a host, into the trash, which keeps them for 30 days.",
        discussion: """
            The keys that a host is known by stay when its profile goes: they identify the machine. With \
            --keys, and for a host without a profile, it is the keys that go; the next connection then \
            asks as for a new host, and what was known stays in the history. A mark or an authority of \
            more than this host goes for all of them: it needs the names of its line, typed or by \
            --expect.

              hsip ssh host rm db1
              hsip ssh host rm --keys db1
              hsip ssh host rm '[192.0.2.7]:2222' --fingerprint SHA256:…
            """
    )

    @Argument(help: "The host: a profile's name, or HOST[:PORT].", completion: .hosts)
    var name: String

    @Flag(help: "The keys of the host, not its profile.")
    var keys = false

    @Option(
        help: ArgumentHelp(
            "Only this key; of a revoked one, the mark that revokes it. Removes keys, not the profile.",
            valueName: "SHA256:…"
        )
    )
    var fingerprint: String?

    @Option(
        help: ArgumentHelp(
            "With --fingerprint: the names of a mark or an authority of more than this host.",
            valueName: "names"
        )
    )
    var expect: String?

    func run(_ context: Context) async throws {
        guard expect == nil || fingerprint != nil else {
            throw Failure.usage("--expect goes with --fingerprint")
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
        let host = try await vault.removeSSHHost(profile.name)
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
        let current = try await vault.hostKeys(for: target.name).filter(\.isCurrent)
        let marks = current.filter { line in
            line.host.marker != nil && only.map { $0 == line.key.fingerprint } ?? false
        }
        var gone: [HostKeySummary] = []
        if !marks.isEmpty {
            let removal = MarkRemoval(marks, of: target, context)
            guard try removal.isWanted(expecting: expect) else { throw ConsoleError.refused }
            for mark in marks { gone.append(try await vault.removeHostKey(id: mark.id)) }
        } else {
            guard expect == nil else {
                throw Failure.usage("--expect is for a mark or an authority")
            }
            gone = try await context.explaining(target) {
                try await vault.removeHostKeys(for: target.name, only: only)
            }
        }
        for line in gone { context.output.say("\(HostKeyCells.words(line.key)) is not known any more.") }
        context.output.hint("hsip ssh host restore --keys \(ShellWord.quoted(target.word))  brings it back")
        try context.output.succeed([
            "host": .null, "lookupName": .text(target.name.lookup), "hostKeys": .hostKeys(gone),
        ])
    }
}
