internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `hsip ssh host export`.
struct SSHHostExport: Command {
    static let path = "ssh host export"
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export host keys as known_hosts, or profiles as JSON.",
        discussion: """
            Imported lines keep their text and order. Neither file has secrets.

              hsip ssh host export -o known_hosts
              hsip ssh host export --hashed -o known_hosts
              hsip ssh host export --profiles -o hosts.json
            """
    )

    @Flag(help: "Export the profiles as JSON.")
    var profiles = false

    @Flag(help: "Hash the host names, so that the file does not show them.")
    var hashed = false

    @OptionGroup
    var file: NewFileOptions

    func run(_ context: Context) async throws {
        guard !profiles || !hashed else {
            throw Failure.usage("--hashed works only for known_hosts")
        }
        try file.check()
        let vault = try await context.openVault()
        let (bytes, count) = profiles ? try await Self.profiles(vault) : try await knownHosts(vault)
        try file.write(bytes, context)
        try context.output.succeed([
            "format": profiles ? "profiles" : "knownHosts", "count": .integer(count),
            "file": .optional(file.path), "contentBase64": file.path == nil ? .base64(bytes) : .null,
        ])
    }

    private func knownHosts(_ vault: any VaultService) async throws -> (bytes: [UInt8], count: Int) {
        var file = try await vault(Operations.exportKnownHosts)
        if hashed { file.hash(with: .system) }
        return (file.bytes, file.lines.count)
    }

    private static func profiles(_ vault: any VaultService) async throws -> (bytes: [UInt8], count: Int) {
        let hosts = try await vault(Operations.sshHosts, .kept)
        var objects: [JSONValue] = []
        for host in hosts {
            let lines = try await vault(Operations.hostKeys, host.profile.lookupName)
            let keys = lines.filter { $0.isCurrent && $0.host.marker == nil }.map(\.key)
            objects.append(ProfileDocument.object(host, keys))
        }
        return (try JSONValue.list(objects).bytes(.pages), hosts.count)
    }
}
