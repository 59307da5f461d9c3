internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import VaultKit

/// `hsip ssh host add NAME`.
struct SSHHostAdd: Command {
    static let path = "ssh host add"
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a host: its address and how to log in.",
        discussion: """
            You type the name after ssh. To trust the host's keys, use hsip ssh host trust.

              hsip ssh host add db1 --address db1.example.org --user deploy --key work
            """
    )

    @Argument(help: "The host's name: letters, digits and . _ -")
    var name: String

    @OptionGroup(title: "The profile")
    var options: ProfileOptions

    @Flag(name: .customLong("default"), help: "Make this the default host.")
    var isDefault = false

    func run(_ context: Context) async throws {
        let name = try HostNames.new(name)
        try options.check()
        guard let address = options.address, let user = options.user else { throw missing(name) }
        let vault = try await context.openVault()
        let change = try await options.change(context, vault)
        guard let authentication = change.authentication else {
            throw Failure(SSHFormatError.keyReferenceMissing)
        }
        var fields = HostProfile.Fields(label: "", host: address, user: user, authentication: authentication)
        if let port = change.port { fields.port = port }
        if let label = change.label { fields.label = label }
        if let path = change.uploadPath { fields.uploadPath = path }
        fields.keyReference = change.keyReference
        fields.passwordReference = change.passwordReference
        if let alias = change.hostKeyAlias, !alias.isEmpty { fields.hostKeyAlias = alias }
        var new = NewHost(name: name, fields: fields, isDefault: isDefault)
        new.isLocal = change.isLocal ?? false
        let host = try await vault.addSSHHost(new)
        try await context.tell(host, vault)
    }

    /// The error that names the missing options; its hint keeps the given ones.
    private func missing(_ name: String) -> Failure {
        let words = [
            options.address == nil ? "--address" : nil,
            options.user == nil ? "--user" : nil,
        ]
        let address = options.address.map(ShellWord.quoted) ?? "HOST"
        let user = options.user.map(ShellWord.quoted) ?? "USER"
        let way =
            if let key = options.key, !key.isEmpty { "--key \(ShellWord.quoted(key))" } else {
                options.auth == nil && options.passwordName == nil ? "--key KEY" : "--auth password"
            }
        return Failure.usage(
            "a host needs \(words.compactMap(\.self).joined(separator: ", and "))",
            hint: "hsip ssh host add \(ShellWord.quoted(name)) --address \(address) --user \(user) \(way)"
        )
    }
}

extension Context {
    /// Reports the profile as it is now, and what is still to do before ssh accepts the host.
    func tell(_ host: HostSummary, _ vault: any VaultService) async throws {
        await refreshSSHSettings(vault)
        let lines = try await vault(Operations.hostKeys, host.profile.lookupName)
        let name = ShellWord.quoted(host.name)
        output.say(
            "\(host.name) is \(host.profile.user)@\(HostWord.text(host.profile.address))"
        )
        if !lines.contains(where: { $0.isCurrent && $0.host.marker != .revoked }) {
            output.hint(
                "hsip ssh host trust \(name)  trusts the host's keys; hsip ssh host probe \(name)  only shows them"
            )
        }
        try output.succeed(.sshHost(host, lines))
    }
}
