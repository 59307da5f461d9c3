public import HSIP

/// Options for accepting a code; names are aliases.
public struct AcceptOptions: Sendable, Codable {
    /// The alias for a new contact; the alias of an existing contact means that contact.
    public var alias: String?
    /// It must come from this contact.
    public var contact: String?
    /// The user says: read from their own screen.
    public var isInPerson: Bool
    /// The user confirmed what needs confirmation.
    public var isConfirmed: Bool
    /// What my reply should say.
    public var reply: OfferRequest

    /// The standard options.
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
    /// The name it carries.
    public let name: String?
    /// The alias I have for that identity.
    public let knownAs: String?
    /// The alias a new contact would get.
    public let suggestion: String?
    /// An alias like it that no contact has.
    public let freeAlias: String?
    /// It is an offer, or an answer to an offer of mine that is for nobody in particular: taking it can make a contact.
    public let mayMakeContact: Bool
    /// It is a code of my own.
    public let isOwn: Bool
}

extension Vault {
    /// A new OFFER, for anybody or bound to a contact.
    public func makeOffer(_ request: OfferRequest = OfferRequest(), for alias: String? = nil)
        throws(VaultError) -> Reply
    {
        try act { book in
            var bound = request
            if let alias { bound.contact = try book.named(alias).peerID }
            return .offer(bound)
        }
    }

    /// My next code for a contact: the code, of any kind, that they must accept next.
    public func nextCode(
        for alias: String,
        _ request: OfferRequest = OfferRequest()
    ) throws(VaultError) -> Reply {
        try act { book in .nextCode(try book.named(alias).peerID, request) }
    }

    /// The ROTATE or ACCEPT that is due with a contact; never an OFFER.
    public func rotate(
        _ alias: String,
        _ request: OfferRequest = OfferRequest()
    ) throws(VaultError) -> Reply {
        try act { book in .rotate(try book.named(alias).peerID, request) }
    }

    /// Closes every open offer; returns how many there were.
    public func closeOffers() throws(VaultError) -> Int {
        let open = try openOffers().count
        _ = try act { _ in .closeOffers }
        return open
    }

    /// Offers of mine that wait for an answer, oldest first.
    public func openOffers() throws(VaultError) -> [(code: OfferCode, contact: String?)] {
        let book = try book()
        return book.offers.values.compactMap { offer -> (code: OfferCode, contact: String?)? in
            guard case .mine(let code, let boundTo, .open) = offer.side else { return nil }
            return (code, boundTo.flatMap { book.contacts[$0]?.alias })
        }
        .sorted { ($0.code.terms.issued, $0.code.text) < ($1.code.terms.issued, $1.code.text) }
    }

    /// Previews of the distinct codes in a text; own codes are dropped if others remain.
    ///
    /// - Throws: `noCode`, `truncated`, `malformed` and the like, depending on the text.
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
    /// The preview of a code, with the contact that it belongs to.
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
    /// The request of the protocol, with aliases turned into PeerIDs.
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
