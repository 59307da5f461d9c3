internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import Text
internal import VaultKit

/// `hsip verify CONTACT`: two people check that nobody intercepts their messages.
struct Verify: Command {
    static let path = "verify"
    static let configuration = CommandConfiguration(
        abstract: "Check that nobody intercepts a contact's messages.",
        discussion: """
            Compare a code by camera, a number or twelve words. Only what you type at a terminal makes \
            the contact verified; no option does.

              hsip verify bob
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var contact: String

    @Flag(help: "Show only the code.")
    var code = false

    @Flag(help: "Show only the safety number.")
    var number = false

    @Flag(help: "Show only the twelve words.")
    var words = false

    @Option(
        help: ArgumentHelp(
            "Only compare this safety number; change nothing.",
            valueName: "number"
        )
    )
    var expect: String?

    @Flag(help: "Read the contact's VERIFY code with the camera.")
    var camera = false

    @Option(
        help: ArgumentHelp("Read the contact's VERIFY code from a picture.", valueName: "file"),
        completion: .file()
    )
    var image: String?

    @OptionGroup(title: "Where the code goes")
    var delivery: DeliveryOptions

    func run(_ context: Context) async throws {
        let form = try form()
        let delivery = CodeDelivery(context, delivery.places)
        try delivery.check()
        let vault = try await context.openVault()
        let name = try await ContactNames(context, vault).resolve(contact).alias
        try await context.explaining(vault, about: name) {
            let comparison = try await vault(Operations.comparison, name)
            let show = VerificationDisplay(context: context, comparison: comparison, delivery: delivery)
            if let expect {
                try SafetyNumber.check(expect, isThatOf: comparison.number)
                context.output.say(
                    "It is \(context.output.display.cell(name))'s number. Trust is unchanged: it counts when you "
                        + "compare at a terminal, hsip verify \(ShellWord.quoted(name))"
                )
                return try context.output.succeed(
                    try await result(name, comparison, .number, .expected, vault)
                )
            }
            if camera || image != nil {
                let source = try await readTheirs(name, context, vault)
                return try context.output.succeed(
                    try await result(name, comparison, nil, source, vault)
                )
            }
            let given = try show.print(form)
            defer { given.end() }
            let source = try await VerificationQuestion(
                context: context,
                vault: vault,
                name: name,
                comparison: comparison
            )
            .ask(about: form)
            try context.output.succeed(try await result(name, comparison, form, source, vault))
        }
    }

    /// The chosen form; nil for all.
    private func form() throws(Failure) -> VerificationForm? {
        let chosen: [VerificationForm] =
            (code ? [.code] : []) + (number ? [.number] : []) + (words ? [.words] : [])
        guard chosen.count < 2 else {
            throw Failure.usage("choose one of --code, --number and --words")
        }
        let ways = chosen.count + (expect == nil ? 0 : 1) + (camera ? 1 : 0) + (image == nil ? 0 : 1)
        guard ways < 2 else {
            throw Failure.usage("choose one way to compare")
        }
        return chosen.first
    }

    /// Reads the contact's VERIFY code by camera or from a picture; it counts only after the question.
    private func readTheirs(
        _ name: String,
        _ context: Context,
        _ vault: any VaultService
    ) async throws -> CodeOutcome.Comparison {
        let intake = CodeIntake(context: context)
        let text =
            if let image { try intake.image(image) } else {
                try intake.read(nil, fromCamera: true, fromClipboard: false)
            }
        var acceptance = Acceptance(context, vault)
        acceptance.contact = name
        let found = try await intake.codes(in: text, vault)
        guard found.found.previews.allSatisfy({ $0.code.kind == .verify }) else {
            throw Failure.usage("this code is not a VERIFY", hint: "hsip accept  accepts it")
        }
        let taken = try await acceptance.take(found)
        context.output.say(
            taken.comparison?.isCounted == true
                ? "\(context.output.display.cell(name)) is verified." : "Trust is unchanged."
        )
        return taken.comparison ?? .init(matches: true, isCounted: false, source: text.source)
    }

    /// The JSON result; if one form was chosen, the others are null.
    private func result(
        _ name: String,
        _ comparison: Comparison,
        _ form: VerificationForm?,
        _ outcome: CodeOutcome.Comparison?,
        _ vault: any VaultService
    ) async throws -> JSONValue {
        let contact = try await vault(Operations.contact, name).contact
        let words = form == nil || form == .words ? comparison.words : []
        let pairs = words.map { word -> JSONValue in
            ["emoji": .text(word.emoji), "word": .text(word.word)]
        }
        return [
            "contact": .text(contact.alias), "peerId": .text(contact.peerID.text),
            "trust": .text(contact.trust.name), "verifiedAt": .time(contact.verifiedAt),
            "verifiedBy": .optional(contact.verification.name),
            "rePairedNotVerified": .bool(contact.isRepaired),
            "notComparedSinceRestore": .bool(contact.isUncompared),
            "code": form == nil || form == .code ? .text(comparison.code.text) : .null,
            "safetyNumber": form == nil || form == .number ? .text(comparison.number.text) : .null,
            "role": words.isEmpty ? .null : comparison.role.map { .role($0) } ?? .null,
            "words": words.isEmpty ? .null : .list(pairs),
            "comparison": outcome.map { .comparison($0) } ?? .null,
        ]
    }
}

extension CodeOutcome.Comparison? {
    /// The comparison with `--expect`: the number matched, but its source is not proved.
    fileprivate static var expected: CodeOutcome.Comparison? {
        CodeOutcome.Comparison(matches: true, isCounted: false, source: .expected)
    }
}

/// The three forms that two people can compare.
enum VerificationForm {
    case code, number, words
}
