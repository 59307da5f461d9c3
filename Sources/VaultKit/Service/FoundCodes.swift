public import HSIP

/// The codes of a text; if it has none, the codes in its messages.
public struct FoundCodes: Sendable {
    /// The previews of the distinct codes.
    public let previews: [CodePreview]
    /// The message that carried a code, if one did; it is read when its code is accepted.
    public let carriers: [ExchangeCode: MessageEnvelope]

    /// Makes the result from codes and the messages that contain them.
    public init(_ previews: [CodePreview], carriers: [ExchangeCode: MessageEnvelope] = [:]) {
        self.previews = previews
        self.carriers = carriers
    }

    /// Returns the only code.
    ///
    /// - Throws: `severalCodes` unless there is exactly one.
    public func single() throws(VaultError) -> CodePreview {
        guard previews.count == 1, let preview = previews.first else { throw .hsip(.severalCodes) }
        return preview
    }
}

extension VaultService {
    /// Finds codes, first in the text and then inside the messages in it.
    ///
    /// - Throws: `noCode` or another error of the text; if no message opens, the first error of a message.
    public func codes(anywhereIn text: [UInt8]) async throws -> FoundCodes {
        do {
            return FoundCodes(try await self(Operations.codesIn, text))
        } catch let error as VaultError {
            // The links of a verbose message look like the links of the old apps.
            let mayBeInside =
                error == .hsip(.noCode) || error == .hsip(.legacyLink) && MessageText.hasMarker(text)
            guard mayBeInside else { throw error }
            return try await codes(insideMessagesOf: text)
        }
    }

    /// The most messages of one text that are searched for codes.
    public static var maximumMessages: Int { 1_000 }

    /// Accepts a code, together with the message that contained it.
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

    /// Searches the messages for codes, also messages that were read before; marks no message as read.
    ///
    /// Only the last messages of a very long chat are searched, because each message needs a call of the vault.
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
