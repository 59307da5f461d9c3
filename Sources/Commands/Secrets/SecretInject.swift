internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import System
internal import VaultCrypto

/// `hsip secret inject`.
struct SecretInject: Command {
    static let path = "secret inject"
    static let configuration = CommandConfiguration(
        commandName: "inject",
        abstract: "Fill a template with secrets: {{ vault:NAME#FIELD }}.",
        discussion: """
            The template comes from stdin. hsip replaces every placeholder by the value's bytes and adds \
            nothing. If one placeholder has no value, hsip writes nothing.

              hsip secret inject < app.conf.in > app.conf
              hsip secret inject -o app.conf < app.conf.in
              echo 'user={{ vault:db/prod#user }}' | hsip secret inject
            """
    )

    @OptionGroup
    var file: NewFileOptions

    func run(_ context: Context) async throws {
        guard file.path != nil || !context.isJSON else { throw ConsoleError.inputNeeded(flag: "-o FILE") }
        try file.check()
        let text = Secret(try OwnFile.readSecret("-", limit: Template.longest))
        let template = try TemplateTexts.explaining { () throws(TemplateError) in try Template(text) }
        let references = template.references
        let values = try await SecretResolver(context: context).values(of: references)
        let filled = try TemplateTexts.explaining { () throws(TemplateError) in try template.filled(values) }
        try file.write(filled, context)
        try context.output.succeed([
            "outputFile": .optional(file.path), "references": .integer(references.count),
            "bytes": .integer(filled.count),
        ])
    }
}

/// The texts that explain why a template is not filled.
private enum TemplateTexts {
    static func explaining<R: ~Copyable>(_ body: () throws(TemplateError) -> R) throws -> R {
        do throws(TemplateError) {
            return try body()
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ error: TemplateError) -> any Error {
        switch error {
        case .malformed(let line):
            Failure(
                .badTemplate,
                "line \(line) of the template has a placeholder that is not a reference",
                hint: "write it as {{ vault:NAME#FIELD }}",
                details: ["line": .integer(line)]
            )
        case .tooLarge: ConsoleError.tooLarge(limit: Template.longestFilled)
        case .outOfMemory: ConsoleError.outOfMemory
        case .missing: Failure(.unknownSecret, "a placeholder has no value")
        }
    }
}
