public import HSIP

/// The codes of a text; if it has none, the codes in its messages.
public struct FoundCodes: Sendable {
    /// The previews of the distinct codes.
    public let previews: [CodePreview]
    /// The message that carried a code, if one did; it is read when its code is accepted.
    public let carriers: [ExchangeCode: MessageEnvelope]

    /// Codes, and the messages around them.
    public init(_ previews: [CodePreview], carriers: [ExchangeCode: MessageEnvelope] = [:]) {
        self.previews = previews
        self.carriers = carriers
    }

    /// The one code that was meant.
    ///
    /// - Throws: `severalCodes`.
    public func single() throws(VaultError) -> CodePreview {
        guard previews.count == 1, let preview = previews.first else { throw .hsip(.severalCodes) }
        return preview
    }
}

extension VaultService {
    /// Looks for codes, first in the text and then inside the messages in it.
    ///
    /// - Throws: `noCode` and the like, by what is in the text; the first refusal if there are messages and none opens.
    public func codes(anywhereIn text: [UInt8]) async throws -> FoundCodes {
        do {
            return FoundCodes(try await self(Operations.codesIn, text))
        } catch let error as VaultError {
            // The links of a verbose message look like those of the old apps.
            let mayBeInside =
                error == .hsip(.noCode) || error == .hsip(.legacyLink) && MessageText.hasMarker(text)
            guard mayBeInside else { throw error }
            return try await codes(insideMessagesOf: text)
        }
    }

    /// The most messages of one text that are looked into for codes.
    public static var maximumMessages: Int { 1_000 }

    /// Gives a code to the vault, together with the message that it came in.
    public func take(
        _ code: ExchangeCode,
        of found: FoundCodes,
        _ options: AcceptOptions
    ) async throws -> Reply {
        guard let envelope = found.carriers[code] else {
            return try await self(Operations.accept, code, options)
        }
        return try await self(Operations.acceptCarried, code, envelope, options)
    }

    /// Looks into the messages, also into messages read before, without marking any as read.
    ///
    /// Of a very long chat only the last messages are looked into: each costs a call of the vault.
    private func codes(insideMessagesOf text: [UInt8]) async throws -> FoundCodes {
        var previews: [CodePreview] = []
        var carriers: [ExchangeCode: MessageEnvelope] = [:]
        var refusal: VaultError?
        for found in MessageText.find(in: text, stealth: false).suffix(Self.maximumMessages) {
            guard let envelope = found.envelope else {
                refusal = refusal ?? VaultError.hsip(found.refusal)
                continue
            }
            do {
                for preview in try await self(Operations.peek, envelope, nil)
                where carriers[preview.code] == nil {
                    previews.append(preview)
                    carriers[preview.code] = envelope
                }
            } catch let error as VaultError {
                if error != .hsip(.noCode) { refusal = refusal ?? error }
            }
        }
        guard !previews.isEmpty else { throw refusal ?? VaultError.hsip(.noCode) }
        return FoundCodes(previews, carriers: carriers)
    }
}
