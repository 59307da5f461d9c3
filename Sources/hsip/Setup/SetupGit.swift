internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Setup
internal import System
internal import VaultKit
internal import VaultLifecycle

/// `hsip setup git`.
struct SetupGit: Command {
    static let path = "setup git"
    static let configuration = CommandConfiguration(
        commandName: "git",
        abstract: "Let git use passwords and signing keys of the vault.",
        discussion: """
            hsip writes settings to ~/.config/hsip/gitconfig and your signing keys to \
            ~/.config/hsip/allowed_signers, and includes them at the end of git's own settings. git signs \
            through the agent: see hsip agent env. Without a key that signs for git, or with --passwords, \
            hsip sets up only passwords. If git's helper is missing, hsip links git-credential-hsip to \
            itself.

              hsip ssh key set work --sign git
              hsip setup git
              hsip setup git --undo
            """
    )

    @OptionGroup var options: SetupOptions

    @Flag(help: "Set up only passwords, not signatures.")
    var passwords = false

    func run(_ context: Context) async throws {
        let folder = Path.folder(of: try context.place().configPath)
        let include = GitInclude(file: folder + "/gitconfig")
        guard include.text != nil else { throw Self.badPath(include.file) }
        let own = try FoundFile(try Self.settings(context.environment))
        let signers = options.undo ? "" : try await signers(context)
        let link = try HelperLink(.git, context.environment)
        let helper = options.undo || !link.isUsable ? nil : try Self.helper(link.path, context)
        guard options.undo || helper != nil || signers != nil else { throw Self.helperMissing(link) }
        var settings = helper.map { "[credential]\n\thelper = \($0)\n" } ?? ""
        if signers != nil {
            settings += "[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n"
            settings += "\tdefaultKeyCommand = \(try Self.command(context))\n"
            settings += "\tallowedSignersFile = \(folder)/allowed_signers\n[commit]\n\tgpgSign = true\n"
        }
        let signersFile = folder + "/allowed_signers"
        let files = WholeFiles(
            heading: Self.heading,
            files: [(include.file, settings)] + (signers.map { [(signersFile, $0)] } ?? [])
        )
        let wanted = include.stands(in: own.bytes ?? []) ? own.bytes : include.added(to: own.bytes ?? [])
        let changes: [any SetupChange]
        if options.undo {
            let rest = own.bytes.flatMap { include.removed(from: $0) }
            changes =
                (rest.map { [FileChange(file: own, new: $0.isEmpty ? nil : $0)] } ?? [])
                + (try files.undoing()) + link.removing
        } else {
            let written = (try files.changes() + [FileChange(file: own, new: wanted)]).filter { !$0.isNone }
            changes = link.making + written
        }
        try SetupRun(name: "git", options: options, context: context).run(
            changes,
            isActive: {
                include.stands(in: try FoundFile(own.path).bytes ?? [])
                    && (helper == nil || Path.exists(link.path))
            },
            after: {
                guard !options.undo else { return }
                if helper != nil {
                    context.output.note("git keeps passwords in the vault from now on")
                } else {
                    context.output.note(
                        "git keeps no passwords in the vault: its helper \(link.path) is missing"
                    )
                    context.output.hint(link.command)
                }
                guard signers != nil else {
                    if !passwords {
                        context.output.note(
                            "git signs nothing: choose a key with hsip ssh key set NAME --sign git"
                        )
                    }
                    return
                }
                context.output.note("git signs commits with the vault's key from now on")
                let socket = try context.agentPaths().ssh
                if context.environment["SSH_AUTH_SOCK"] != socket {
                    context.output.hint("eval \"$(hsip agent env)\"  so that git finds the agent")
                }
            }
        )
    }

    private static let heading = "# Made by hsip setup git"

    /// The lines of `hsip ssh signers`; nil where nothing signs.
    private func signers(_ context: Context) async throws -> String? {
        guard !passwords else { return nil }
        let lines = try await context.openVault().allowedSigners()
        return lines.isEmpty ? nil : lines.map { $0 + "\n" }.joined()
    }

    /// What git runs to get and keep passwords (gitcredentials(7)): the link beside this program.
    private static func helper(_ link: String, _ context: Context) throws -> String {
        guard !link.contains(where: { "\"'\\#;$` ".contains($0) || $0.isNewline }) else {
            throw badPath(link)
        }
        return link + (try vaultOption(context))
    }

    private static func helperMissing(_ link: HelperLink) -> Failure {
        Failure(
            .helperMissing,
            "git cannot find its helper \(link.path), and hsip may not make that link; no key signs for git either",
            hint: link.command
        )
    }

    /// What git runs to learn the key; it splits the words itself, as a shell does.
    private static func command(_ context: Context) throws -> String {
        let program = try OwnProgram.path(context.environment)
        guard !program.contains(where: { "\"'\\#;$` ".contains($0) || $0.isNewline }) else {
            throw badPath(program)
        }
        return "\(program)\(try vaultOption(context)) ssh signing-key"
    }

    /// The words that name another vault than the usual one.
    private static func vaultOption(_ context: Context) throws -> String {
        let place = try context.place()
        let vault = place.key == "vault" ? "" : " --vault \(ShellWord.quoted(place.key))"
        guard !vault.contains(where: { "\"\\#;".contains($0) }) else { throw badPath(place.key) }
        return vault
    }

    /// The settings that git itself would write to (git-config(1), FILES).
    private static func settings(_ environment: Environment) throws(Failure) -> String {
        if let path = environment["GIT_CONFIG_GLOBAL"], path.hasPrefix("/") { return path }
        let home = try environment.home(for: "hsip setup git")
        let old = home + "/.gitconfig"
        let new = (environment["XDG_CONFIG_HOME"] ?? home + "/.config") + "/git/config"
        return !Path.exists(old) && Path.exists(new) ? new : old
    }

    private static func badPath(_ path: String) -> Failure {
        Failure(
            .unavailable,
            "\(path) cannot be named in settings of git: it has characters with a special meaning",
            hint: "git config --global gpg.format ssh"
        )
    }
}
