package import Presentation
internal import System
internal import Text
package import VaultCrypto
package import VaultKit

/// Warnings about contacts who have a secret: they keep it, even if it is changed or removed here.
extension Context {
    /// The most contacts or secrets that are named one by one.
    private static let named = 8

    /// Warns which contacts have a secret that was changed here.
    package func tellGiven(changed name: String, _ vault: any VaultService) async {
        let gifts = await given(vault, secret: name).filter(\.isOutdated)
        tell(gifts, of: name, "hsip secret send \(ShellWord.quoted(name))", "--to")
    }

    /// Warns which contacts have a secret that was removed here.
    package func tellGiven(removed name: String, _ vault: any VaultService) async {
        let gifts = await given(vault, secret: name)
        tell(gifts, of: name, "hsip secret withdraw \(ShellWord.quoted(name))", "--from")
    }

    /// Warns which secrets a contact has, when the sessions with the contact end.
    package func tellGiven(to alias: String, _ vault: any VaultService) async {
        let gifts = await given(vault, to: alias)
        guard !gifts.isEmpty else { return }
        let names = gifts.prefix(Self.named).map { output.display.cell($0.secret) }
        let more = gifts.count > names.count ? " and \(gifts.count - names.count) more" : ""
        output.warn(
            Warning(
                "givenToOthers",
                "\(output.display.cell(alias)) keeps the secrets you sent: \(names.joined(separator: ", "))\(more); "
                    + "to cut off access, change the passwords",
                hint: "hsip secret shared --of \(ShellWord.quoted(alias))",
                fields: Self.fields(gifts)
            )
        )
    }

    private func tell(_ gifts: [GiftSummary], of name: String, _ command: String, _ option: String) {
        let known = gifts.filter { $0.contact != nil }
        let who = known.compactMap(\.contact)
        guard let first = known.first, let alias = first.contact else { return }
        let display = output.display
        let options = who.prefix(Self.named).map { " \(option) \(ShellWord.quoted($0))" }
        // One withdrawal is for one contact.
        let reached = option == "--to" ? options.joined() : " \(option) \(ShellWord.quoted(alias))"
        let names = who.prefix(Self.named).map { display.cell($0) }.joined(separator: ", ")
        let shown = display.cell(name)
        let message =
            who.count == 1
            ? "\(names) has version \(first.version) of \(shown)"
            : "\(who.count) contacts have \(shown): \(names)\(who.count > Self.named ? " and more" : "")"
        output.warn(
            Warning("givenToOthers", message, hint: command + reached, fields: Self.fields(known))
        )
    }

    /// The secrets that were sent and not withdrawn.
    ///
    /// The operation is already done, so if the secrets cannot be read, that is not an error.
    private func given(
        _ vault: any VaultService,
        to alias: String? = nil,
        secret name: String? = nil
    ) async -> [GiftSummary] {
        let gifts = (try? await vault(Operations.gifts, alias, name)) ?? []
        return gifts.filter { $0.isMine && $0.withdrawnAt == nil }
    }

    private static func fields(_ gifts: [GiftSummary]) -> JSONValue {
        let list = gifts.map { gift -> JSONValue in
            [
                "name": .text(gift.secret), "contact": .optional(gift.contact),
                "version": .integer(gift.version),
            ]
        }
        return ["gifts": .list(list)]
    }
}

extension SecretBytes {
    /// The text without its last line feed, if that is the only one.
    package consuming func withoutLastLineFeed() throws(ConsoleError) -> Secret {
        let count = count
        let isOneLine = withBytes { bytes in
            count > 0 && bytes.byte(at: count - 1) == 0x0A
                && (0..<count - 1).allSatisfy { bytes.byte(at: $0) != 0x0A }
        }
        guard isOneLine else { return Secret(self) }
        do throws(CryptoError) {
            return Secret(try slice(0..<count - 1))
        } catch {
            throw .outOfMemory
        }
    }
}
