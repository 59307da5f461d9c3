internal import ArgumentParser

/// `hsip secret`: passwords, tokens, notes and files.
struct SecretGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Passwords, tokens, notes and files: make, check, and put them where they are needed.",
        subcommands: [SecretGenerate.self, SecretCheck.self, SecretTOTP.self, SecretInject.self]
    )
}
