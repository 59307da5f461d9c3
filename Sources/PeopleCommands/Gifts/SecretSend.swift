package import ArgumentParser
package import CommandKit
internal import Console
internal import HSIP
internal import Programs
internal import SafeText
internal import VaultLifecycle
internal import VaultKit

/// `hsip secret send NAME --to CONTACT`: seals a stored secret for the vault of a contact.
package struct SecretSend: Command {
    package static let path = "secret send"
    package static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Give a stored secret to a contact: it goes from vault to vault.",
        discussion: """
            The contact takes it with hsip accept; its values are shown on neither side. Sent again after a change, it \
            becomes a new version there. The key of one-time passwords stays here unless it is asked for.

              hsip secret send db/prod --to bob
              hsip secret send db/prod --to bob --field password --expires 30d --note "for the migration"
              hsip secret send db/prod --to bob -o prod.hsipsecret
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Who gets it.", valueName: "contact"),
        completion: .contacts
    )
    var contact: String

    @Option(help: ArgumentHelp("A field to send; may be repeated.", valueName: "name"), completion: .fields)
    var field: [String] = []

    @Flag(name: .customLong("with-totp"), help: "With the key of one-time passwords.")
    var includesTOTP = false

    @Option(help: ArgumentHelp("When it expires: 30d, or a date.", valueName: "time"))
    var expires: String?

    @Option(help: ArgumentHelp("One line for the contact.", valueName: "text"))
    var note: String?

    @Flag(name: .customLong("unverified"), help: "Send it also to a contact you have not compared.")
    var allowsUnverified = false

    @OptionGroup var target: NewFileOptions

    package init() {}

    package func run(_ context: Context) async throws {
        try target.check()
        let vault = try await context.openVault()
        let names = ContactNames(context, vault)
        var request = GiftRequest(name, to: contact)
        request.fields = field
        request.includesTOTP = includesTOTP
        request.expires = try expires.map { try end($0, now: context.now) }
        request.note = note
        if allowsUnverified {
            request.contact = try await names.resolve(contact, exactly: true).alias
            try confirm(request.contact, context)
            request.allowsUnverified = true
        }
        let (sent, _) = try await names.using(request.contact) { alias in
            var request = request
            request.contact = alias
            return try await vault.sendGift(request)
        }
        try GiftDelivery(context: context, target: target).deliver(sent)
        try context.output.succeed(.sentGift(sent))
    }

    private func confirm(_ alias: String, _ context: Context) throws {
        let shown = context.output.display.cell(alias)
        let question =
            "You have not compared anything with \(shown): someone in between may read the secret.\n"
            + "Type yes to send it all the same:"
        guard try context.terminal.typeIt(question, expected: "yes", flag: nil) else {
            throw ConsoleError.refused
        }
    }

    private func end(_ word: String, now: Int64) throws(Failure) -> UInt64 {
        if let span = Durations.parse(word), span > 0 {
            let (end, isOver) = now.addingReportingOverflow(span)
            if !isOver, end > 0 { return UInt64(end) }
        }
        if let time = Times.day(word) ?? Times.parse(word), time > now { return UInt64(time) }
        throw Failure.usage("--expires takes a time from now (30d, 1y), or a later date (2027-03-01)")
    }
}

/// `hsip secret withdraw NAME --from CONTACT`.
package struct SecretWithdraw: Command {
    package static let path = "secret withdraw"
    package static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Ask a contact to remove a secret that was sent to them.",
        discussion: """
            Their program puts an unchanged copy into the trash. They may have read or copied it; what takes it back is a \
            new password.

              hsip secret withdraw db/prod --from bob
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp("Who has it.", valueName: "contact"),
        completion: .contacts
    )
    var contact: String

    @OptionGroup var target: NewFileOptions

    package init() {}

    package func run(_ context: Context) async throws {
        try target.check()
        let vault = try await context.openVault()
        let (sent, alias) = try await ContactNames(context, vault).using(contact) {
            try await vault.withdrawGift(name, from: $0)
        }
        try GiftDelivery(context: context, target: target).deliver(sent)
        let (who, what) = (context.output.display.cell(alias), ShellWord.quoted(sent.secret))
        context.output.say(
            "The program of \(who) puts it into the trash; \(who) may have read or copied it. "
                + "What takes it back is a new password: hsip secret generate \(what)"
        )
        try context.output.succeed(.sentGift(sent))
    }
}

/// Where a parcel goes: its text to stdout, or to a file; a long one only to a file, as bytes.
struct GiftDelivery {
    let context: Context
    let target: NewFileOptions

    func deliver(_ sent: SentGift) throws {
        let parcel = try SealedParcel(bytes: sent.parcel)
        context.output.tell(sent.notices, about: sent.contact)
        if let path = target.path ?? standardPath(sent) {
            try OwnFile.write(sent.parcel, to: path, force: target.force)
            context.output.say("The secret is in \(context.shown(path)): send that file.")
        } else {
            try context.output.data(try ParcelText.write(parcel) + [0x0A])
        }
    }

    /// What has no text is written beside the user: the number of the session is spent, and the parcel is made once.
    private func standardPath(_ sent: SentGift) -> String? {
        guard sent.parcel.count > ParcelText.longest else { return nil }
        let last = sent.secret.split(separator: "/").last.map { String($0) } ?? "secret"
        // The second one beside a first must not fail, either.
        var (path, number) = (last + ".hsipsecret", 2)
        while Path.exists(path) { (path, number) = ("\(last)-\(number).hsipsecret", number + 1) }
        return path
    }
}
