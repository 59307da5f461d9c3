internal import ArgumentParser
internal import Glibc
internal import HSIP
internal import LogCarriers
internal import Presentation
internal import RecordStore
internal import SSHFormats
internal import SharedLog
internal import System
internal import Text
internal import VaultKit

/// `hsip setup sync git`.
struct SetupSyncGit: Command {
    static let path = "setup sync git"
    static let configuration = CommandConfiguration(
        commandName: "git",
        abstract: "Keep the shared log in a git repository.",
        discussion: """
            hsip makes a branch of its own there. git logs in with your ssh keys or its credential helper.

              hsip setup sync git git@home.example:vault.git
              hsip setup sync git /srv/git/vault.git
            """
    )

    @Argument(help: "The address of the repository, or its path on this machine.")
    var address: String?

    @OptionGroup var options: SetupSyncOptions

    func run(_ context: Context) async throws { try await options.run(.git, address, context) }
}

/// `hsip setup sync folder`.
struct SetupSyncFolder: Command {
    static let path = "setup sync folder"
    static let configuration = CommandConfiguration(
        commandName: "folder",
        abstract: "Keep the shared log in a folder of a disk or stick.",
        discussion: """
            Do not choose a folder that Syncthing, Dropbox or Nextcloud copies.

              hsip setup sync folder /media/stick/vault
            """
    )

    @Argument(help: "The folder: an absolute path.", completion: .directory)
    var folder: String?

    @OptionGroup var options: SetupSyncOptions

    func run(_ context: Context) async throws { try await options.run(.folder, folder, context) }
}

/// The options and the work of `setup sync git`, `setup sync folder` and `setup sync etcd`.
struct SetupSyncOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name of this machine (default: the host's name).", valueName: "name"))
    var name: String?

    /// A hidden form of `setup sync --undo`, for every kind of log.
    @Flag(help: .hidden)
    var undo = false

    /// Makes a log, sends it, and reads it; continues an interrupted earlier run.
    func run(
        _ kind: CarrierAddress.Kind,
        _ place: String?,
        _ context: Context,
        login options: EtcdLoginOptions = EtcdLoginOptions()
    ) async throws {
        guard !undo else { return try await LogLeaving(context: context).run() }
        guard let place else {
            throw Failure.usage("name the place of the shared log", hint: "hsip help setup sync")
        }
        let address = try context.address(kind, place)
        if kind == .git, address.text.hasPrefix("file://") { try Self.checkRepository(address.text) }
        let vault = try await context.openVault()
        let state = try await vault(Operations.logState)
        let wanted = LogAddress(carrier: kind.rawValue, text: address.text)
        // An earlier run may have been interrupted before it had sent everything, or before it had a login.
        let isMade = state.map { [.member, .admitted].contains($0.stage) && $0.address == wanted } ?? false
        guard isMade || state == nil else { throw LogError(.logExists) }
        let login = wanted.isEtcd ? try await options.login(at: address, context, vault) : nil
        let credentials = try login?.credentials(for: wanted)
        func logs() throws -> [[UInt8]] {
            let again = login.map { "\(address.setupCommand) --user \(ShellWord.quoted($0.user))" }
            return try context.reach(address, mirror: "/", credentials, again: again) {
                try address.logs($0)
            }
        }
        let before = try logs()
        guard before.allSatisfy({ $0 == state?.log }) else {
            throw Self.occupied(context, address, isMade: isMade)
        }
        var machine = state?.name ?? ""
        if isMade, let name, NameRules.normalized(name) != machine {
            context.output.note("a machine keeps its name in the log")
        }
        if !isMade {
            let count = try await SharedCount.of(vault)
            context.output.say(
                "This vault shares \(count) with the machines that you let join. Contacts, messages and sessions stay here."
            )
            machine = name ?? OwnMachine.name
            machine = try await vault(Operations.foundLog, machine, wanted).name
            context.hasChanged = true
        }
        if let login {
            let _: Nothing = try await vault(Operations.setLogin, login)
            context.hasChanged = true
        }
        let result: SyncResult
        do {
            result = try await SyncRun.run(context, vault, credentials)
        } catch {
            // Another machine may have made a log there at the same moment.
            let own = try await vault(Operations.logState)?.log
            guard before.isEmpty, let found = try? logs(), !found.isEmpty, found.allSatisfy({ $0 != own })
            else { throw error }
            throw Self.occupied(context, address, isMade: true)
        }
        let hadLog = !before.isEmpty
        let shown = context.output.display.cell(machine)
        context.output.say("This vault is shared; the name of this machine is \(shown).")
        context.output.hint("hsip setup sync join  on each other machine")
        try context.output.succeed([
            "name": .text(machine), "address": .text(address.text), "active": true, "changed": .bool(!hadLog),
            "sent": .integer(Int64(result.sent)),
        ])
    }

    /// The failure if the address has a log of other machines; `isMade` if this vault has made its own log, too.
    private static func occupied(_ context: Context, _ address: CarrierAddress, isMade: Bool) -> Failure {
        let place = context.output.display.cell(address.text, columns: .max)
        guard isMade else {
            return Failure(
                .logExists,
                "\(place) has a shared log already: join it, or choose another place",
                hint: "hsip setup sync join"
            )
        }
        return Failure(
            .logExists,
            "\(place) has the shared log of another machine; stop sharing here, then join that log",
            hint: "hsip setup sync --undo"
        )
    }

    private static func checkRepository(_ address: String) throws {
        let path = String(address.dropFirst("file://".count))
        guard unsafe access(path, F_OK) != 0 else { return }
        throw Failure(
            .logUnreachable,
            "\(path) does not exist",
            hint: "git init --bare \(ShellWord.path(path))"
        )
    }
}

/// The default name of this machine.
package enum OwnMachine {
    /// The first part of the host's name, at most `LogLimits.machineName` bytes; `machine` if that is not a valid name.
    package static var name: String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let status = unsafe bytes.withUnsafeMutableBytes { buffer -> Int32 in
            guard let start = buffer.baseAddress else { return -1 }
            return unsafe gethostname(start.assumingMemoryBound(to: CChar.self), buffer.count - 1)
        }
        guard status == 0 else { return "machine" }
        let first = bytes.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }.prefix(LogLimits.machineName)
        let name = String(decoding: first, as: UTF8.self)
        return MachineName.isValid(name) ? name : "machine"
    }
}

/// The number of records that a vault shares, in words.
enum SharedCount {
    static func of(_ vault: any VaultService) async throws -> String {
        let secrets = try await vault.credentials().count { !$0.isLocal }
        let keys = try await vault(Operations.sshKeys, .kept).count { !$0.use.isLocal }
        let hosts = try await vault(Operations.sshHosts, .kept).count { !$0.isLocal }
        func words(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
        let more = [(keys, "SSH key"), (hosts, "SSH host")].filter { $0.0 > 0 }.map { words($0.0, $0.1) }
        return ([words(secrets, "secret")] + more).joined(separator: ", ")
    }
}
