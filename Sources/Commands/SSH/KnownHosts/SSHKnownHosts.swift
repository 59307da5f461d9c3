internal import ArgumentParser
internal import Presentation
internal import RecordStore
internal import SSHFormats
internal import System
internal import Text
internal import VaultKit

/// `hsip ssh known-hosts`: the command that ssh runs as its KnownHostsCommand (Schemas/known-hosts-command.md).
struct SSHKnownHosts: Command {
    static let path = "ssh known-hosts"
    static let configuration = CommandConfiguration(
        commandName: "known-hosts",
        abstract: "Give ssh the trusted keys of a host; ssh runs this.",
        discussion: """
            hsip setup ssh adds this line to ssh's settings:

              KnownHostsCommand /usr/bin/hsip ssh known-hosts --for %I --host %H --port %p --alias %k --type %t --key %K

            known_hosts lines on stdout let ssh continue. Every other exit code than 0 stops the connection before \
            login: 15 the key changed; 7 the host is new and hsip cannot ask; 6 the host was not trusted; 5 the \
            vault is locked.
            """,
        shouldDisplay: false
    )

    @Option(name: .customLong("for"), parsing: .unconditional, help: "%I: ORDER, HOSTNAME or ADDRESS.")
    var reason: String
    @Option(parsing: .unconditional, help: "%H: the name that ssh looks up.")
    var host: String
    @Option(parsing: .unconditional, help: "%p: the port.")
    var port = "22"
    @Option(parsing: .unconditional, help: "%k: the alias of the host key, or the name that was typed.")
    var alias = ""
    @Option(parsing: .unconditional, help: "%t: the type of the key.")
    var type = "NONE"
    @Option(parsing: .unconditional, help: "%K: the key, in base64.")
    var key = "NONE"

    func run(_ context: Context) async throws {
        let lines: [String]
        if reason == HostQuery.Reason.address.rawValue {
            lines = await address(context)
        } else {
            let query = try query()
            context.purpose = "for ssh to \(query.name.lookup)"
            let vault = try await context.openVault()
            lines =
                query.reason == .order
                ? try await HostAnswer.order(query, vault) : try await judge(query, vault, context)
        }
        for line in lines { try context.output.line(line) }
        try context.output.succeed(["lines": .texts(lines)])
    }

    private func query() throws -> HostQuery {
        try HostQuery(reason: reason, host: host, port: port, alias: alias, type: type, key: key)
    }

    /// The lines that answer ssh about a host's key; for a new key, hsip asks the person.
    private func judge(_ query: HostQuery, _ vault: any VaultService, _ context: Context) async throws
        -> [String]
    {
        guard let key = query.key else { return [] }
        let found = try await vault.checkHostKeyAtOnce(key, for: query.name, noting: true)
        if let error = found.notNoted {
            context.output.warn(
                Warning(
                    "hostKeyNotNoted",
                    "could not record that \(query.name.lookup) was seen: "
                        + Failure(error).message
                )
            )
        }
        if found.verdict.isTrusted, found.lines.contains(where: \.isUncompared) {
            context.output.warn(
                Warning(
                    "notComparedSinceRestore",
                    "the key of \(query.name.lookup) was not compared since a backup was restored",
                    hint: "hsip ssh host trust \(query.name.lookup)"
                )
            )
        }
        switch found.verdict {
        case .match, .certified, .revoked: return HostAnswer.line(for: found.verdict, query)
        case .changed:
            throw await HostKeyTexts(context, vault, query.name, offered: key).changed(found.lines)
        case .new: return try await ask(query, key, found, vault, context)
        }
    }

    /// The lines that are known for the address of a host whose name was accepted (CheckHostIP).
    ///
    /// The name decides: hsip asks no question and stores no key, and no failure stops the connection. If the address
    /// has another key, hsip only warns: ssh would stop if it got that line.
    private func address(_ context: Context) async -> [String] {
        var globals = context.globals
        globals.asksNothing = true
        let quiet = Context(command: Self.path, globals: globals, environment: context.environment)
        do {
            let query = try query()
            guard let key = query.key else { return [] }
            let vault = try await quiet.openVault()
            let found = try await vault.checkHostKeyAtOnce(key, for: query.name)
            if case .changed(let trusted) = found.verdict {
                let known = trusted.map { HostKeyCells.words($0.key) }.joined(separator: ", ")
                context.output.warn(
                    Warning(
                        "hostAddressDiffers",
                        "the address \(query.name.lookup) is known by another key than this host: \(known)"
                    )
                )
            }
            return HostAnswer.line(for: found.verdict, query)
        } catch {
            context.output.warn(
                Warning(
                    "hostAddressUnchecked",
                    "the address was not checked: \(Failure(error).message)"
                )
            )
            return []
        }
    }
}
