internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultKit

/// `hsip ssh host import FILE|-`.
struct SSHHostImport: Command {
    static let path = "ssh host import"
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Import a known_hosts file, or host profiles in JSON.",
        discussion: """
            hsip keeps every line, so that hsip ssh host export gives the file back. If a line has \
            another key than the vault for the same host, hsip names the line and skips it.

              hsip ssh host import ~/.ssh/known_hosts
              ssh-keyscan -f hosts.txt | hsip ssh host import -
            """
    )

    /// The number of lines above which the user is asked first.
    static let many = 100
    /// The largest known_hosts file that is read, in bytes.
    private static let limit = 32 << 20

    @Argument(help: "The file, or - for stdin.", completion: .file())
    var file: String

    @Flag(help: "Read host profiles in JSON.")
    var profiles = false

    @Option(
        help: ArgumentHelp(
            "With --profiles: the login key of profiles that name none.",
            valueName: "key"
        )
    )
    var key: String?

    @Flag(help: "Import further keys of hosts whose trusted key is in the same file.")
    var additional = false

    @Option(
        help: ArgumentHelp(
            "With --additional: the fingerprint you were given; may be repeated.",
            valueName: "SHA256:…"
        )
    )
    var expect: [String] = []

    @Flag(name: .customLong("dry-run"), help: "Show what would happen; change nothing.")
    var isTrial = false

    func run(_ context: Context) async throws {
        guard additional || expect.isEmpty else {
            throw Failure.usage("--expect needs --additional")
        }
        guard profiles ? !additional && !isTrial : key == nil else {
            throw Failure.usage(
                profiles
                    ? "--additional and --dry-run work only for known_hosts files" : "--key needs --profiles"
            )
        }
        if profiles {
            let bytes = try read(context, limit: ProfileDocument.limit)
            let vault = try await context.openVault()
            var known: String?
            if let key { known = try await KeyNames(context, vault).resolve(key, exactly: true).name }
            try await ProfileImport(context: context, vault: vault).take(ProfileDocument(bytes, key: known))
        } else {
            let bytes = try read(context, limit: Self.limit)
            try await take(KnownHostsFile(bytes), try await context.openVault(), context)
        }
    }

    /// The file's content; an error names the file.
    private func read(_ context: Context, limit: Int) throws -> [UInt8] {
        do throws(ConsoleError) {
            return try OwnFile.read(file, limit: limit)
        } catch {
            if case .interrupted = error { throw error }
            var failure = Failure(error)
            failure.message = "\(context.shown(file: file)): \(failure.message)"
            throw failure
        }
    }
}
