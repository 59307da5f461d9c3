public import HSIP

/// Options for accepting a code; contacts are named by alias.
public struct AcceptOptions: Sendable, Codable {
    /// The alias for a new contact; the alias of an existing contact means that contact.
    public var alias: String?
    /// The contact who must have sent the code; nil for any sender.
    public var contact: String?
    /// Whether the user read the code from the sender's own screen.
    public var isInPerson: Bool
    /// Whether the user confirmed everything that needs confirmation.
    public var isConfirmed: Bool
    /// The terms of the reply.
    public var reply: OfferRequest

    /// Makes options; by default the standard ones.
    public init(
        alias: String? = nil,
        contact: String? = nil,
        isInPerson: Bool = false,
        isConfirmed: Bool = false,
        reply: OfferRequest = OfferRequest()
    ) {
        self.alias = alias
        self.contact = contact
        self.isInPerson = isInPerson
        self.isConfirmed = isConfirmed
        self.reply = reply
    }
}

/// The public content of a code, before it is accepted.
public struct CodePreview: Sendable, Codable {
    /// The code.
    public let code: ExchangeCode
    /// The sender that the code names, if it names one.
    public let peerID: PeerID?
    /// The name in the code.
    public let name: String?
    /// The alias of the existing contact with that identity.
    public let knownAs: String?
    /// The alias that a new contact would get.
    public let suggestion: String?
    /// A similar alias that no contact has.
    public let freeAlias: String?
    /// Whether accepting the code can make a contact: an offer, or an answer to this vault's offer for anybody.
    public let mayMakeContact: Bool
    /// Whether this vault made the code.
    public let isOwn: Bool
}

extension Vault {
    /// Makes a new OFFER, for anybody or for one contact.
    public func makeOffer(_ request: OfferRequest = OfferRequest(), for alias: String? = nil)
        throws(VaultError) -> Reply
    {
        try act { book in
            var bound = request
            if let alias { bound.contact = try book.named(alias).peerID }
            return .offer(bound)
        }
    }

    /// Makes this vault's next code for a contact: the code, of any kind, that the contact must accept next.
    public func nextCode(
        for alias: String,
        _ request: OfferRequest = OfferRequest()
    ) throws(VaultError) -> Reply {
        try act { book in .nextCode(try book.named(alias).peerID, request) }
    }

    /// Makes the ROTATE or ACCEPT that is due with a contact; never an OFFER.
    public func rotate(
        _ alias: String,
        _ request: OfferRequest = OfferRequest()
    ) throws(VaultError) -> Reply {
        try act { book in .rotate(try book.named(alias).peerID, request) }
    }

    /// Closes every open offer; returns the number of closed offers.
    public func closeOffers() throws(VaultError) -> Int {
        let open = try openOffers().count
        _ = try act { _ in .closeOffers }
        return open
    }

    /// Lists the offers of this vault that wait for an answer, the oldest first.
    public func openOffers() throws(VaultError) -> [(code: OfferCode, contact: String?)] {
        let book = try book()
        return book.offers.values.compactMap { offer -> (code: OfferCode, contact: String?)? in
            guard case .mine(let code, let boundTo, .open) = offer.side else { return nil }
            return (code, boundTo.flatMap { book.contacts[$0]?.alias })
        }
        .sorted { ($0.code.terms.issued, $0.code.text) < ($1.code.terms.issued, $1.code.text) }
    }

    /// Returns previews of the distinct codes in a text; own codes are left out if there are others.
    ///
    /// - Throws: `noCode`, `truncated`, `malformed` and similar errors, depending on the text.
    public func codes(in text: [UInt8]) throws(VaultError) -> [CodePreview] {
        let book = try book()
        return try asVaultError {
            try CodeText.candidates(in: text) { book.isOwn($0) }.map { CodePreview($0, in: book) }
        }
    }

    /// Accepts a code of any kind.
    public func accept(
        _ code: ExchangeCode,
        _ options: AcceptOptions = AcceptOptions()
    ) throws(VaultError) -> Reply {
        try act { book in
            .take(code, try options.request(in: book))
        }
    }
}

extension CodePreview {
    /// Makes the preview of a code, with the contact that it belongs to.
    init(_ code: ExchangeCode, in book: Book) {
        let (peer, name): (PeerID?, String?) =
            switch code {
            case .offer(let offer): (offer.peerID, offer.name)
            case .answer(let answer): (answer.peerID, answer.name)
            case .revoke(let revoke):
                if case .identity(let key) = revoke.scope {
                    (try? PeerID(publicKey: key), nil)
                } else {
                    (nil, nil)
                }
            case .rotate, .accept, .verify: (nil, nil)
            }
        let suggestion = peer.map { Alias.suggestion(sentName: name ?? "", peerID: $0) }
        self.code = code
        self.peerID = peer
        self.name = name
        knownAs = peer.flatMap { book.contacts[$0]?.alias }
        self.suggestion = suggestion
        freeAlias = suggestion.map { Alias.free(like: $0, taken: Set(book.contacts.values.map(\.alias))) }
        mayMakeContact =
            switch code {
            case .offer: true
            case .answer(let answer):
                if case .mine(_, nil, .open) = book.offers[answer.offerRef]?.side { true } else { false }
            case .rotate, .accept, .revoke, .verify: false
            }
        isOwn = book.isOwn(code)
    }
}

extension AcceptOptions {
    /// Makes the request of the protocol; aliases become PeerIDs.
    func request(in book: Book) throws -> CodeOptions {
        CodeOptions(
            alias: alias,
            contact: try contact.map(book.named)?.peerID,
            isInPerson: isInPerson,
            isConfirmed: isConfirmed,
            reply: reply
        )
    }
}
