internal import ArgumentParser
internal import Console
internal import SSHFormats
internal import SafeText
internal import SystemSetup

/// `hsip ssh config`.
struct SSHConfig: Command {
    static let path = "ssh config"
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings for ssh: every host, and the vault as the judge of host keys.",
        discussion: """
            This is the file that hsip setup ssh writes and includes in ~/.ssh/config. A host that cannot be written \
            is named in a warning and left out.

              hsip ssh config
              hsip ssh config --check
            """
    )

    @Flag(help: "Ask ssh itself, for every host, whether it reads these settings as they are meant.")
    var check = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let made = try await FragmentMaker(context, vault).make()
        if check {
            let text = Array(made.fragment.text.utf8)
            guard let found = try SSHReading(context.environment).differences(made.fragment, in: text) else {
                throw SSHSetup.ineffective(["ssh refuses the settings"])
            }
            guard found.isEmpty else { throw SSHSetup.ineffective(found) }
            context.output.note(
                "ssh reads the settings of \(Plural.of(made.hosts.count, "host")) as they are meant"
            )
        } else {
            try context.output.data(Array(made.fragment.text.utf8))
        }
        try context.output.succeed([
            "text": .text(made.fragment.text), "hosts": .list(made.hosts.map { .text($0) }),
            "checked": .bool(check),
        ])
    }
}
