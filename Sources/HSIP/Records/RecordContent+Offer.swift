public import VaultCrypto

extension RecordContent {
    /// Enough bytes for an open offer of suite 02 with the longest name, bound to a contact.
    private static let offerCapacity = 1_500

    private enum Tag {
        static let open: UInt8 = 0
        static let answered: UInt8 = 1
        static let closed: UInt8 = 2
        static let expired: UInt8 = 3
        static let theirs: UInt8 = 16
    }

    /// Encodes the record `hsip.offer/<offerRef hex>`, with the one-time secret while the offer is open.
    public static func encode(_ offer: Offer) throws(HSIPError) -> Secret {
        var writer = try ContentWriter(capacity: offerCapacity)
        try writer.byte(version(of: offer.suite))
        switch offer.side {
        case .mine(let code, let boundTo, let state):
            switch state {
            case .open(let secret):
                try writer.byte(Tag.open)
                try encode(secret, &writer)
            case .answered(let peer, let hash):
                try writer.byte(Tag.answered)
                try writer.raw(peer.bytes)
                try writer.raw(hash)
            case .closed(let expired): try writer.byte(expired ? Tag.expired : Tag.closed)
            }
            try writer.short(boundTo?.bytes ?? [])
            try writer.long(code.bytes)
        case .theirs(let answer, let pairing, let contact, let offerEnd):
            try writer.byte(Tag.theirs)
            try writer.raw(pairing.bytes)
            try writer.raw(contact.bytes)
            try writer.time(offerEnd)
            try writer.long(answer.bytes)
        }
        return try writer.content()
    }

    /// Decodes the record `hsip.offer/<offerRef hex>`.
    public static func offer(_ content: Secret, ref: [UInt8]) throws(HSIPError) -> Offer {
        var reader = ContentReader(content)
        let suite = try reader.suiteVersion()
        let tag = try reader.byte()
        let side: Offer.Side
        if tag == Tag.theirs {
            guard let pairing = PairingID(bytes: try reader.take(16)) else { throw .malformed }
            let contact = try reader.peer()
            let end = try reader.time()
            side = .theirs(
                try AnswerCode(bytes: try reader.long()),
                pairing: pairing,
                contact: contact,
                offerEnd: end
            )
        } else {
            let state = try state(tag, suite, &reader)
            let bound = try reader.short()
            guard bound.isEmpty || bound.count == 32 else { throw .malformed }
            side = .mine(
                try OfferCode(bytes: try reader.long()),
                boundTo: PeerID(bytes: bound),
                state
            )
        }
        try reader.finish()
        let offer = Offer(ref: ref, side: side)
        guard offer.suite == suite else { throw .malformed }
        return offer
    }

    private static func state(
        _ tag: UInt8,
        _ suite: Suite,
        _ reader: inout ContentReader
    ) throws(HSIPError) -> Offer.State {
        switch tag {
        case Tag.open: .open(secret: try reader.oneTimeSecret(suite))
        case Tag.answered: .answered(by: try reader.peer(), answerHash: try reader.take(32))
        case Tag.closed: .closed(expired: false)
        case Tag.expired: .closed(expired: true)
        default: throw .malformed
        }
    }
}
