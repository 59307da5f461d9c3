internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import VaultKit

/// `hsip ssh host show NAME|HOST[:PORT]`.
struct SSHHostShow: Command {
    static let path = "ssh host show"
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a host's profile, its keys and its former keys.",
        discussion: """
              hsip ssh host show db1
              hsip ssh host show '[192.0.2.7]:2222'
            """
    )

    @Argument(help: "The host: a profile's name, or HOST[:PORT].", completion: .hosts)
    var name: String

    @Flag(help: "Show one from the trash.")
    var trash = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let names = HostNames(context, vault)
        let target =
            trash
            ? HostTarget(try await names.profile(name, inTrash: true)) : try await names.target(name)
        try await names.checkKnown(target, name)
        let known = try await vault(Operations.hostKeys, target.name).withoutOverruledOfOneHost
        let current = known.filter(\.isCurrent)
        let history = Array(known.filter { !$0.isCurrent }.reversed())
        var sheet = FactSheet()
        if let profile = target.profile { add(profile, to: &sheet, context) }
        if target.profile?.profile.hostKeyAlias != nil || target.profile == nil {
            sheet.add("Known as", target.name.lookup)
        }
        for line in current { add(line, "Host key", to: &sheet, context) }
        for line in history { add(line, line.isWaiting ? "Other key" : "Before", to: &sheet, context) }
        if current.isEmpty { sheet.add("Host key", Cell("none", value: "", tone: .soon)) }
        try context.output.facts(sheet)
        if context.console.outputIsTerminal {
            for line in current where line.host.marker == nil {
                for row in Randomart.lines(of: line.key) { try context.output.line(row) }
            }
        }
        if current.isEmpty { context.output.hint("hsip ssh host trust \(ShellWord.quoted(target.word))") }
        try context.output.succeed(.sshHostDetails(target.profile, lookupName: target.name.lookup, known))
    }

    private func add(_ host: HostSummary, to sheet: inout FactSheet, _ context: Context) {
        let (profile, display) = (host.profile, context.output.display)
        sheet.add("Host", host.name)
        if !profile.label.isEmpty { sheet.add("Label", Cell(own: profile.label, display)) }
        sheet.add("Address", Cell(HostWord.text(profile.address), value: profile.address.lookup))
        sheet.add("User", profile.user)
        sheet.add("Login", profile.authentication.rawValue)
        if let key = profile.keyReference { sheet.add("Key", Cell(own: key, display)) }
        if let password = profile.passwordReference { sheet.add("Password", Cell(own: password, display)) }
        sheet.add("Upload path", Cell(own: profile.uploadPath, display))
        sheet.add("Identifier", profile.id.description)
        if host.isDefault { sheet.add("Default", "yes") }
        if host.isLocal { sheet.add("Shared", "no, only on this machine") }
        sheet.add("In vault", Cell(exactly: host.created))
        if let removed = host.removedAt { sheet.add("Removed", Cell(exactly: removed)) }
    }

    private func add(_ line: HostKeySummary, _ title: String, to sheet: inout FactSheet, _ context: Context) {
        sheet.add(
            title,
            HostKeyCells.type(line.key),
            Cell(line.key.fingerprint.description),
            HostKeyCells.state(line),
            HostKeyCells.source(line),
            HostKeyCells.day(line.firstSeen, context.now, after: "since"),
            HostKeyCells.day(line.lastSeen, context.now, after: "seen"),
            HostKeyCells.day(line.endedAt, context.now, after: "until")
        )
    }
}
