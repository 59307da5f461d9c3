public import HSIP
internal import VaultCrypto

extension Vault {
    /// The distinct codes that a message carries, without reading it.
    ///
    /// Nothing is committed: a message that is new stays new, and may be opened or given to
    /// `accept(carriedBy:)` afterwards. One that was read before is looked into again.
    ///
    /// - Parameters:
    ///   - envelope: the message.
    ///   - alias: whose key opens it, when the header does not say.
    /// - Returns: what the codes of others say; what my own say if there are no others.
    /// - Throws: what `decrypt` and `codes` throw; `noCode` if the message carries none or is my own.
    public func peek(
        _ envelope: MessageEnvelope,
        from alias: String? = nil
    ) throws(VaultError) -> [CodePreview] {
        let wallClock = now()
        // Only the contact is read for it: a text may hold thousands of messages, and most carry no code.
        var book = try load(.reading(envelope, from: alias), wallClock: wallClock).book
        let request = ReadRequest(from: try alias.map(book.named)?.peerID, isReread: true)
        let codes = try asVaultError {
            let outcome = try book.reduce(.read(envelope, request), wallClock: wallClock, entropy: entropy)
            if let refusal = outcome.refusal { throw refusal }
            guard case .opened(let opened) = outcome.product else { throw HSIPError.noCode }
            var text = opened.plaintext.withBytes { $0.copied() }
            defer { text.wipe() }
            return try CodeText.codes(in: text)
        }
        let whole = try self.book()
        let previews = codes.map { CodePreview($0, in: whole) }
        let others = previews.filter { !$0.isOwn }
        return others.isEmpty ? previews : others
    }

    /// Takes the code that a message carries: opening the message and taking the code are one commit.
    ///
    /// If the code is refused, the message stays as new as it was.
    ///
    /// - Parameters:
    ///   - chosen: which one is meant, if the message carries several.
    ///   - envelope: the message.
    ///   - options: the alias for a new contact, and what the user has confirmed.
    /// - Returns: what taking the code led to, as from `accept` of a code alone.
    /// - Throws: what `decrypt` and `accept` throw; `noCode` if the message carries none, or not that one.
    public func accept(
        _ chosen: ExchangeCode? = nil,
        carriedBy envelope: MessageEnvelope,
        _ options: AcceptOptions = AcceptOptions()
    ) throws(VaultError) -> Reply {
        let acted = try perform(.carried(envelope)) { book in
            var request = try options.request(in: book)
            request.chosen = chosen
            return .takeInside(envelope, request)
        }
        return Reply(acted, wallClock: now())
    }
}
