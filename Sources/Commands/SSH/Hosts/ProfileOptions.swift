internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import VaultCrypto
internal import VaultKit

/// The parts of a host profile as command line options.
struct ProfileOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A host name or address.", valueName: "host"))
    var address: String?

    @Option(help: ArgumentHelp("A number from 1 to 65535 (default: 22).", valueName: "number"))
    var port: String?

    @Option(help: ArgumentHelp("The user to log in as.", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("The SSH key to log in with, by its name in the vault.", valueName: "key"))
    var key: String?

    @Option(
        name: .customLong("password-name"),
        help: ArgumentHelp(
            "The name of a password in the vault (default: ssh asks).",
            valueName: "name"
        )
    )
    var passwordName: String?

    @Option(help: ArgumentHelp("How to log in: key or password.", valueName: "how"))
    var auth: String?

    @Option(
        name: .customLong("upload-path"),
        help: ArgumentHelp(
            "The folder on the host to copy files to (default: /tmp).",
            valueName: "path"
        )
    )
    var uploadPath: String?

    @Option(help: ArgumentHelp("A description of the host, on one line.", valueName: "text"))
    var label: String?

    @Option(
        name: .customLong("host-key-alias"),
        help: ArgumentHelp(
            "Store the host's keys under this name.",
            valueName: "name"
        )
    )
    var hostKeyAlias: String?

    @Flag(
        inversion: .prefixedNo,
        exclusivity: .exclusive,
        help: "Do not share the profile with other machines."
    )
    var local: Bool?

    /// Checks each given value by itself, before an error names missing options.
    ///
    /// - Throws: the error of `HostProfile` for the first invalid value.
    func check() throws {
        // Values that are not given are replaced by values that are always accepted.
        var fields = HostProfile.Fields(
            label: label ?? "",
            host: address ?? "host",
            user: user ?? "user",
            authentication: auth ?? HostProfile.Authentication.password.rawValue
        )
        if let port { fields.port = try HostName.port(of: port) }
        if let uploadPath { fields.uploadPath = uploadPath }
        fields.keyReference = key ?? "key"
        fields.passwordReference = passwordName
        if let hostKeyAlias, !hostKeyAlias.isEmpty { fields.hostKeyAlias = hostKeyAlias }
        _ = try HostProfile(id: HostID(.system), fields)
    }

    /// The options as a change; a missing option changes nothing, and an empty value removes the part.
    ///
    /// If a key or a password is named, it also becomes the way to log in, unless `--auth` says otherwise.
    ///
    /// - Throws: the error of the key or the port; the vault checks the rest.
    func change(_ context: Context, _ vault: any VaultService) async throws -> HostChange {
        var change = HostChange()
        change.host = address
        change.port = try port.map { try HostName.port(of: $0) }
        change.user = user
        change.label = label
        change.uploadPath = uploadPath
        change.hostKeyAlias = hostKeyAlias
        change.passwordReference = passwordName
        change.authentication = auth
        change.isLocal = local
        if let key {
            change.keyReference =
                key.isEmpty ? "" : try await KeyNames(context, vault).resolve(key, exactly: true).name
        }
        if auth == nil {
            if let key, !key.isEmpty {
                change.authentication = HostProfile.Authentication.key.rawValue
            } else if let passwordName, !passwordName.isEmpty {
                change.authentication = HostProfile.Authentication.password.rawValue
            }
        }
        return change
    }
}
