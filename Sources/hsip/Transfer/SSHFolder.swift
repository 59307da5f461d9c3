internal import Commands
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultKit
internal import VaultLifecycle

/// `~/.ssh` or a folder like it: its private keys, and its known_hosts.
struct SSHFolder {
    /// No known_hosts file comes near.
    private static let longest = 32 << 20

    let path: String
    let context: Context

    init(_ path: String, _ context: Context) {
        self.path = path
        self.context = context
    }

    /// The lines of a known_hosts file.
    ///
    /// - Throws: `malformedInput` for what has no line of a host in it.
    func lines() throws -> VaultBundle {
        var bundle = VaultBundle()
        bundle.knownHosts = try context.importReader.reading(path) { () throws(ConsoleError) in
            try OwnFile.read(path, limit: Self.longest)
        }
        guard !KnownHostsFile(bundle.knownHosts).hosts.isEmpty else {
            throw Failure(
                .malformedInput,
                "the file has no line with a host key",
                hint: "hsip vault import ~/.ssh/known_hosts"
            )
        }
        return bundle
    }

    /// Every private key of the folder that can be opened, and its known_hosts.
    ///
    /// - Throws: `noKey` for a folder with neither; what stops a key from being read, with its name.
    func bundle() throws -> VaultBundle {
        var bundle = VaultBundle()
        try KeyFileReader(context).forEachKey(in: path) { record, name in
            try bundle.addKey(try record.content(), named: name)
        }
        let known = "\(path)/known_hosts"
        if Path.isFile(known) { bundle.knownHosts = try OwnFile.readKept(known, limit: Self.longest) }
        guard bundle.count > 0 || !bundle.knownHosts.isEmpty else {
            throw Failure(
                .noKey,
                "the folder has no private key and no known_hosts file",
                hint: "hsip vault import ~/.ssh"
            )
        }
        return bundle
    }
}
