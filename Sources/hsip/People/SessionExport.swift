internal import ArgumentParser
internal import Console
internal import HSIP
internal import Programs
internal import VaultCrypto
internal import VaultKit

/// `hsip session export NAME`.
struct SessionExport: Command {
    static let path = "session export"
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export an imported key for an old program; never a paired session.",
        discussion: """
            After that both programs count separately, and the counter here is no longer reliable.

              hsip session export bob -o key
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    @OptionGroup
    var file: NewFileOptions

    func run(_ context: Context) async throws {
        guard file.path != nil || !context.isJSON else { throw ConsoleError.inputNeeded(flag: "-o FILE") }
        try file.check()
        let vault = try await context.openVault()
        let names = ContactNames(context, vault)
        let (key, alias) = try await names.using(name) { try await vault.exportKey(of: $0) }
        let line = try Self.line(key)
        try file.write(line, context)
        context.output.tell([.counterUnreliable], about: alias)
        try context.output.succeed(try .exported(try await vault.contact(alias), file: file.path ?? ""))
    }

    /// The key in base64 with a line feed, in locked memory: the JSON writer knows how, and its quotes go.
    private static func line(_ key: Secret) throws -> SecretBytes {
        let quoted = try JSONWriter.bytes(.secretBase64(key))
        return try SecretBytes.joined(try quoted.slice(1..<quoted.count - 1), [0x0A])
    }
}
