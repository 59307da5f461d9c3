internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import Text
internal import VaultKit

/// `hsip ssh host list`.
struct SSHHostList: Command {
    static let path = "ssh host list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List your hosts, or with --keys all known host keys.",
        discussion: """
              hsip ssh host list
              hsip ssh host list --keys
              hsip ssh host list --trash
            """
    )

    @Flag(help: "List every known host key, also of hosts without a profile.")
    var keys = false

    @Flag(help: "List removed profiles; with --keys the former keys.")
    var trash = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        if keys {
            try listKeys(
                try await vault(Operations.hostKeys, nil).withoutOverruled.filter { $0.isCurrent != trash },
                context
            )
        } else {
            try await listHosts(try await vault(Operations.sshHosts, Listing(inTrash: trash)), vault, context)
        }
    }

    private func listHosts(_ hosts: [HostSummary], _ vault: any VaultService, _ context: Context) async throws
    {
        let display = context.output.display
        var table = Table([
            Column("host"), Column("address", .left, .whole, spare: 1), Column("user", spare: 2),
            Column("login"), Column("known by", .left, .whole, spare: 3), Column("label", spare: 5),
            Column("default", .left, .whole, spare: 4),
        ])
        var data: [(host: HostSummary, lines: [HostKeySummary])] = []
        for host in hosts {
            let lines = try await vault(Operations.hostKeys, host.profile.lookupName)
                .withoutOverruledOfOneHost
            table.add([
                Cell(host.name),
                Cell(HostWord.text(host.profile.address), value: host.profile.address.lookup),
                Cell(host.profile.user), Self.login(host.profile, display), Self.knownBy(lines),
                Cell(own: host.profile.label, display), Cell(host.isDefault ? "default" : ""),
            ])
            data.append((host, lines))
        }
        try context.list(
            table,
            empty: trash ? "no host profiles in the trash" : "no host profiles yet",
            hint: trash ? nil : "hsip ssh host add NAME --address HOST --user USER --key KEY"
        )
        let standard = try await vault(Operations.defaultSSHHost)?.name
        try await context.endShort(vault, of: ["ssh.host", "ssh.hostkey"])
        try context.output.succeed(.sshHosts(data, standard: standard))
    }

    private func listKeys(_ lines: [HostKeySummary], _ context: Context) throws {
        let columns = [
            Column("host"), Column("type", .left, .whole, spare: 1), Column("fingerprint", .left, .whole),
            Column("state", .left, .whole), Column("trusted", spare: 2),
            Column("first seen", .left, .whole, spare: 4), Column("last seen", .left, .whole, spare: 3),
        ]
        let rows = lines.map { line in
            [
                HostKeyCells.names(line, context.output.display), HostKeyCells.type(line.key),
                Cell(line.key.fingerprint.description), HostKeyCells.state(line), HostKeyCells.source(line),
                HostKeyCells.day(line.firstSeen, context.now), HostKeyCells.day(line.lastSeen, context.now),
            ]
        }
        try context.list(
            Table(columns, rows: rows),
            empty: trash ? "no host keys in the trash" : "no host keys yet",
            hint: trash ? nil : "hsip ssh host import ~/.ssh/known_hosts"
        )
        try context.output.succeed(["hostKeys": .hostKeys(lines)])
    }

    private static func login(_ profile: HostProfile, _ display: Display) -> Cell {
        switch profile.authentication {
        case .password: Cell("password")
        case .key:
            Cell("key \(display.cell(profile.keyReference ?? ""))", value: profile.keyReference ?? "")
        }
    }

    /// The first trusted key, and the number of others; scripts get all fingerprints.
    private static func knownBy(_ lines: [HostKeySummary]) -> Cell {
        let current = lines.filter(\.isCurrent)
        let trusted = current.filter { $0.host.marker == nil }
        let value = trusted.map(\.key.fingerprint.description).joined(separator: ",")
        if let first = trusted.first {
            let more = trusted.count > 1 ? " +\(trusted.count - 1)" : ""
            return Cell("\(HostKeyCells.type(first.key).shown)\(more)", value: value, tone: .good)
        }
        return current.contains { $0.host.marker == .authority }
            ? Cell("authority", value: "", tone: .good) : Cell("nothing", value: "", tone: .soon)
    }
}
