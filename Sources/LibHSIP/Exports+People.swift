public import CHSIP
internal import HSIP
internal import VaultCrypto
internal import VaultKit

/// My next code for a contact, or an offer; see hsip.h.
@c @implementation
public func hsip_pair(
    _ vault: OpaquePointer?,
    _ contact: UnsafePointer<CChar>?,
    _ code: UnsafeMutablePointer<hsip_bytes>?
) -> hsip_status {
    unsafe OutputBytes.clear(code)
    return Status.of {
        guard unsafe code != nil else { throw LibraryError.usage }
        let alias = try unsafe CText.optional(contact)
        let reply = try unsafe HandleTable.find(vault).call(about: alias) { opened in
            guard let alias else { return try await opened.vault(Operations.makeOffer, OfferRequest(), nil) }
            return try await opened.vault(Operations.nextCode, alias, OfferRequest())
        }
        guard let made = reply.code else { throw VaultError.hsip(.noSession) }
        try unsafe OutputBytes.give(Array(made.text.utf8), to: code)
    }
}

/// Accepts a code; see hsip.h.
@c @implementation
public func hsip_accept(
    _ vault: OpaquePointer?,
    _ text: UnsafePointer<CChar>?,
    _ size: Int,
    _ save_as: UnsafePointer<CChar>?,
    _ reply: UnsafeMutablePointer<hsip_bytes>?,
    _ json: UnsafeMutablePointer<hsip_bytes>?
) -> hsip_status {
    unsafe OutputBytes.clear(reply)
    unsafe OutputBytes.clear(json)
    // If both results used one hsip_bytes, the first result could never be freed.
    guard unsafe reply == nil || reply != json else { return Status.of(.usage) }
    return unsafe Status.of("accept", to: json) {
        guard let text = unsafe BorrowedBytes(text, size) else { throw LibraryError.usage }
        let name = try unsafe CText.optional(save_as)
        let handle = try unsafe HandleTable.find(vault)
        guard text.count <= MessageText.longestText else { throw HSIPError.malformed }
        let bytes = text.withBytes { $0.copied() }
        let taken = try handle.call { try await $0.accept(bytes, as: name) }
        if let code = taken.code { try unsafe OutputBytes.give(Array(code.text.utf8), to: reply) }
        return taken.answer
    }
}

/// Seals one text for a contact; see hsip.h.
@c @implementation
public func hsip_encrypt(
    _ vault: OpaquePointer?,
    _ contact: UnsafePointer<CChar>?,
    _ text: UnsafePointer<CChar>?,
    _ size: Int,
    _ message: UnsafeMutablePointer<hsip_bytes>?,
    _ remaining: UnsafeMutablePointer<UInt32>?
) -> hsip_status {
    unsafe OutputBytes.clear(message)
    return Status.of {
        guard unsafe message != nil, let text = unsafe BorrowedBytes(text, size) else {
            throw LibraryError.usage
        }
        let alias = try unsafe CText.name(contact)
        try MessageCipher.check(text)
        let secret = try Secret(copying: text)
        let sealed = try unsafe HandleTable.find(vault).call(about: alias) {
            try await $0.vault(Operations.encrypt, secret, alias)
        }
        try unsafe OutputBytes.give(MessageText.compact(sealed.envelope), to: message)
        if let remaining = unsafe remaining {
            unsafe remaining.pointee = UInt32(sealed.limit) - min(UInt32(sealed.sent), UInt32(sealed.limit))
        }
    }
}

/// Opens the one message in a text; see hsip.h.
@c @implementation
public func hsip_decrypt(
    _ vault: OpaquePointer?,
    _ text: UnsafePointer<CChar>?,
    _ size: Int,
    _ flags: UInt32,
    _ plain: UnsafeMutablePointer<hsip_bytes>?,
    _ sender: UnsafeMutablePointer<hsip_bytes>?
) -> hsip_status {
    unsafe OutputBytes.clear(plain)
    unsafe OutputBytes.clear(sender)
    return Status.of {
        guard unsafe plain != nil, unsafe plain != sender, let text = unsafe BorrowedBytes(text, size),
            flags & ~UInt32(HSIP_REREAD | HSIP_STEALTH) == 0
        else { throw LibraryError.usage }
        let handle = try unsafe HandleTable.find(vault)
        let envelope = try message(in: text, isStealth: flags & UInt32(HSIP_STEALTH) != 0)
        let isReread = flags & UInt32(HSIP_REREAD) != 0
        let read = try handle.call { opened in
            do {
                return try await opened.vault(Operations.decrypt, envelope, nil, isReread)
            } catch let error as VaultError {
                let alias = (try? await opened.vault(Operations.aliasOf, envelope.sender)) ?? nil
                return try await opened.explaining(about: alias) { throw error }
            }
        }
        guard let plaintext = read.plaintext else { throw VaultError.hsip(.noMessage) }
        try unsafe OutputBytes.give(plaintext, to: plain)
        do throws(CryptoError) {
            try unsafe OutputBytes.give(Array((read.contact ?? "").utf8), to: sender)
        } catch {
            if let plain = unsafe plain { unsafe OutputBytes.take(back: plain) }
            throw error
        }
    }
}

/// Finds the single message of a text; a repeated message counts once.
///
/// - Throws: `several`; `noMessage`; `unsupportedVersion` for a newer program's message; `malformedMessage` for a damaged
///   one, and for a text that is too long.
private func message(in text: borrowing BorrowedBytes, isStealth: Bool) throws -> MessageEnvelope {
    guard text.count <= MessageText.longestText else { throw HSIPError.malformedMessage }
    let found = MessageText.find(in: text.withBytes { $0.copied() }, stealth: isStealth)
    let whole = Set(found.compactMap(\.envelope))
    guard whole.count < 2 else { throw LibraryError.several }
    guard let envelope = whole.first else {
        throw found.first?.refusal ?? HSIPError.noMessage
    }
    return envelope
}
