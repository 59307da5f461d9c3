internal import Presentation
internal import RecordStore
internal import Secrets
internal import System
package import VaultCrypto
package import VaultLifecycle

/// A recovery secret from the shares that several people hold; hsip asks for the words, one share after the other.
///
/// The shares are combined in locked memory, and the result is the text of a recovery code.
package struct SharesSecret: SecretSource {
    /// How often one share may be mistyped.
    private static let tries = 3

    private let context: Context

    package init(_ context: Context) { self.context = context }

    package var isNamed: Bool { true }
    package var isAsked: Bool { true }
    package var option: String? { "--shares" }

    package func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
        var collection = ShareCollection()
        while !collection.isComplete { try take(into: &collection) }
        let secret: SecretBytes
        do throws(ShareError) { secret = try collection.secret() } catch { throw .shares(error) }
        do throws(CryptoError) { return try RecoveryText.encode(secret) } catch { throw .store(.outOfMemory) }
    }

    /// Asks for the next share until it is correct.
    private func take(into collection: inout ShareCollection) throws(OpeningError) {
        for attempt in 1...Self.tries {
            let typed = try ask(for: collection)
            do throws(ShareError) {
                let share = try ShareText.read(typed)
                guard share.header.isPlain, share.value.count == RecoveryText.secretSize else {
                    throw .shareWrong(.foreign)
                }
                try collection.add(share)
                let (count, needed) = (collection.count, collection.needed)
                // The checksum shows that the share is typed correctly, not that it is genuine.
                context.output.say("Share \(count) of \(needed) is complete.")
                return
            } catch {
                guard attempt < Self.tries, error != .outOfMemory else { throw .shares(error) }
                tell(error, typed)
            }
        }
    }

    private func ask(for collection: ShareCollection) throws(OpeningError) -> SecretBytes {
        let number = collection.count + 1
        let question =
            collection.count == 0
            ? "Type all \(ShareText.words) words of a share; the first four letters of each word are enough.\nShare 1"
            : "Share \(number) of \(collection.needed)"
        do throws(ConsoleError) {
            let typed = try context.terminal.askWords(
                question,
                limit: ShareText.maximumSize,
                flag: "--passphrase-file FILE"
            ) { ShareText.completion(of: $0) }
            guard typed.count > 0 else { throw .refused }
            return typed
        } catch {
            throw .file(error)
        }
    }

    /// Prints the error of a share, and only on the terminal the words that may be meant.
    private func tell(_ error: ShareError, _ typed: borrowing SecretBytes) {
        let text = error.explanation
        context.output.say("hsip: \(text.message)\(text.hint.map { "; \($0)" } ?? "")")
        guard case .shareWrong(.unknownWord(let place)) = error else { return }
        let words = ShareText.candidates(for: place, in: typed)
        guard !words.isEmpty else { return }
        let line = "Possible words for word \(place): \(words.joined(separator: ", "))\n"
        try? context.terminal.show(Array(line.utf8), flag: "--shares")
    }
}
