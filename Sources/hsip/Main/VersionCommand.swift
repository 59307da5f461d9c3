internal import ArgumentParser
internal import CommandKit
internal import Console
internal import FileStore
internal import Presentation
internal import VaultCrypto

/// Which program this is, and what it speaks.
struct VersionCommand: Command {
    static let path = "version"
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version; with --verbose also of formats.",
        discussion: """
              hsip version --verbose
            """
    )

    func run(_ context: Context) async throws {
        let libraries = [("libsodium", LibraryVersion.sodium), ("sqlite", FileStore.engineVersion)]
        try context.output.line("hsip \(ProductVersion.text)")
        if context.globals.mode.contains(.verbose) {
            try context.output.line("HSIP-XC1, cipher suite 1, messages 1, vault format 1, JSON 1")
            for (name, version) in libraries { try context.output.line("\(name) \(version)") }
        }
        try context.output.succeed(
            .version(sqlite: FileStore.engineVersion)
        )
    }
}
