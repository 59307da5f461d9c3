internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Setup
internal import System
internal import VaultLifecycle

/// `hsip setup docker`.
struct SetupDocker: Command {
    static let path = "setup docker"
    static let configuration = CommandConfiguration(
        commandName: "docker",
        abstract: "Let docker keep its passwords in the vault.",
        discussion: """
            One line in ~/.docker/config.json makes docker and podman ask docker-credential-hsip for \
            registry passwords. If that helper is missing, hsip links it to itself. Passwords that docker \
            stored elsewhere stay there; docker login saves them here.

              hsip setup docker
              hsip setup docker --undo
            """
    )

    @OptionGroup var options: SetupOptions

    func run(_ context: Context) async throws {
        let file = try FoundFile(try Self.settings(context.environment))
        let change = options.undo ? try undoing(file) : try adding(file)
        let link = try HelperLink(.docker, context.environment)
        let isMissing = ChildProcess.find(HelperPart.docker.rawValue, in: context.environment) == nil
        let making = isMissing && link.isInPath(context.environment) ? link.making : []
        let changes: [any SetupChange] = change.isNone ? [] : [change]
        try SetupRun(name: "docker", options: options, context: context).run(
            options.undo ? changes + link.removing : making + changes,
            isActive: { try FoundFile(file.path).bytes.flatMap { DockerSettings($0) }?.isSet ?? false },
            after: {
                guard !options.undo else { return }
                context.output.note("docker login keeps its passwords in the vault from now on")
            }
        )
        if !options.undo, ChildProcess.find(HelperPart.docker.rawValue, in: context.environment) == nil {
            context.output.warn(
                Warning(
                    "helperMissing",
                    "docker cannot find its helper docker-credential-hsip in PATH",
                    hint: "ln -s \(ShellWord.quoted(try OwnProgram.path(context.environment))) "
                        + "~/.local/bin/docker-credential-hsip"
                )
            )
        }
    }

    private func adding(_ file: FoundFile) throws(Failure) -> FileChange {
        guard let bytes = file.bytes, !bytes.isEmpty else {
            return FileChange(file: file, new: Array("{\n\t\"credsStore\": \"hsip\"\n}\n".utf8))
        }
        guard let settings = DockerSettings(bytes) else { throw Self.unreadable(file.path) }
        guard let new = settings.added else {
            throw Failure(
                .conflict,
                "docker already uses another credsStore",
                hint: "remove credsStore from \(ShellWord.quoted(file.path)) first"
            )
        }
        return FileChange(file: file, new: new)
    }

    private func undoing(_ file: FoundFile) throws(Failure) -> FileChange {
        guard let bytes = file.bytes, !bytes.isEmpty else { return FileChange(file: file, new: file.bytes) }
        guard let settings = DockerSettings(bytes) else { throw Self.unreadable(file.path) }
        guard let new = settings.removed else { return FileChange(file: file, new: file.bytes) }
        let isEmpty = new.filter { $0 > 0x20 } == Array("{}".utf8)
        return FileChange(file: file, new: isEmpty ? nil : new)
    }

    private static func settings(_ environment: Environment) throws(Failure) -> String {
        if let folder = environment["DOCKER_CONFIG"], folder.hasPrefix("/") { return folder + "/config.json" }
        let home = try environment.home(for: "hsip setup docker")
        return home + "/.docker/config.json"
    }

    private static func unreadable(_ path: String) -> Failure {
        Failure(
            .malformedInput,
            "\(path) is not JSON as docker writes it, so the file was not changed",
            hint: "docker config --help"
        )
    }
}
