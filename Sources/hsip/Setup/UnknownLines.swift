internal import Commands
internal import FileStore
internal import Presentation
internal import SSHFormats
internal import Setup
internal import System
internal import VaultKit
internal import VaultLifecycle

/// Files of known hosts that ssh reads no more once it asks the vault, and what would be lost with them.
struct UnknownLines {
    /// No known_hosts file comes near.
    private static let limit = 32 << 20
    /// Where ssh has the known hosts of every user of the machine.
    private static let global = "/etc/ssh/ssh_known_hosts"

    let context: Context
    let vault: any VaultService

    /// Warns of each file with lines about hosts that say what the vault does not know.
    ///
    /// A file that cannot be read is passed over: ssh does not read it either. Nothing is waited for: a pipe of
    /// that name is no file.
    func warn(_ places: SSHPlaces) async throws {
        for path in [places.knownHosts, Self.global] {
            guard let bytes = try? OwnFile.readKept(path, limit: Self.limit) else { continue }
            let count = await count(KnownHostsFile(bytes))
            guard count > 0 else { continue }
            let lines = count == 1 ? "1 line" : "\(count) lines"
            context.output.warn(
                Warning(
                    "knownHostsUnread",
                    "\(context.path(path).shown) has \(lines) that the vault does not know; ssh will not read it "
                        + "any more",
                    hint: "hsip ssh host import \(hinted(path))",
                    fields: ["path": .text(path), "count": .integer(Int64(count))]
                )
            )
        }
    }

    /// How many lines about hosts an import would take, or name as a conflict: by what they say, not by how they
    /// are written.
    private func count(_ file: KnownHostsFile) async -> Int {
        // More than a vault takes are lines that it does not know.
        guard let trial = try? await vault.importKnownHosts(file, isTrial: true) else {
            return file.hosts.count
        }
        return trial.added + Set(trial.conflicts.map(\.line)).count
    }

    /// A path as a shell takes it, with `~` where that needs no quotes.
    private func hinted(_ path: String) -> String {
        let short = context.path(path).shown
        return short == "~/.ssh/known_hosts" ? short : ShellWord.quoted(path)
    }
}
