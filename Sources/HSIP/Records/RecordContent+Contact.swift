public import VaultCrypto

extension RecordContent {
    private enum Flag {
        static let requiresVerification: UInt8 = 1
        static let isRepaired: UInt8 = 2
        /// Always set in version 02.
        static let isUncompared: UInt8 = 4
        /// Version 03 has this bit or the next.
        static let onlySuiteTwo: UInt8 = 8
        static let onlySuiteOne: UInt8 = 16
        static let confirmed: UInt8 = 1
        static let muted: UInt8 = 2
        static let answerer: UInt8 = 4
        static let legacy: UInt8 = 8
    }

    /// The version of a contact that was not compared since a restore.
    ///
    /// An older program refuses it, so that it does not treat the contact as compared.
    private static let uncomparedVersion: UInt8 = 2

    /// The version of a contact whose codes must have one suite.
    private static let suiteRuleVersion: UInt8 = 3

    private static func version(of contact: Contact) -> UInt8 {
        if contact.suiteRule != .any { return suiteRuleVersion }
        return contact.isUncompared ? uncomparedVersion : version
    }

    /// Encodes the record `hsip.contact/<PeerID hex>`.
    public static func encode(_ contact: Contact) throws(HSIPError) -> Secret {
        var writer = try ContentWriter(capacity: 2_048)
        try writer.byte(version(of: contact))
        try writer.short(contact.identityKey ?? [])
        try writer.short(Array(contact.alias.utf8))
        try writer.short(Array(contact.sentName.utf8))
        try writer.long(Array(contact.note.utf8))
        try writer.byte(contact.trust.rawValue)
        try writer.byte(contact.verification.rawValue)
        try writer.time(contact.verifiedAt)
        try writer.byte(
            (contact.requiresVerification ? Flag.requiresVerification : 0)
                | (contact.isRepaired ? Flag.isRepaired : 0)
                | (contact.isUncompared ? Flag.isUncompared : 0)
                | (contact.suiteRule == .onlyTwo ? Flag.onlySuiteTwo : 0)
                | (contact.suiteRule == .onlyOne ? Flag.onlySuiteOne : 0)
        )
        try writer.time(contact.trashedAt)
        try writer.byte(contact.ended == nil ? 0 : 1)
        if let end = contact.ended {
            try writer.byte(end.byPeer ? 1 : 0)
            try writer.time(end.at)
            try writer.byte(end.reason.rawValue)
        }
        try writer.byte(UInt8(contact.pairings.count))
        for entry in contact.pairings {
            try writer.raw(entry.id.bytes)
            try writer.time(entry.offerIssued)
            try writer.time(entry.answerIssued)
            try writer.raw(entry.transcript)
            try writer.byte(
                (entry.isConfirmed ? Flag.confirmed : 0) | (entry.isMuted ? Flag.muted : 0)
                    | (entry.role == .answerer ? Flag.answerer : 0) | (entry.isLegacy ? Flag.legacy : 0)
            )
        }
        return try writer.content()
    }

    /// Decodes the record `hsip.contact/<PeerID hex>`.
    public static func contact(_ content: Secret, peerID: PeerID) throws(HSIPError) -> Contact {
        var reader = ContentReader(content)
        let kind = try reader.version(upTo: suiteRuleVersion)
        let key = try reader.short()
        guard key.isEmpty || key.count == 32 else { throw .malformed }
        let alias = try reader.shortText()
        var contact = Contact(
            peerID: peerID,
            identityKey: key.isEmpty ? nil : key,
            sentName: try reader.shortText(),
            alias: alias
        )
        contact.note = try reader.longText()
        guard let trust = Contact.Trust(rawValue: try reader.byte()),
            let verification = Contact.Verification(rawValue: try reader.byte())
        else { throw .malformed }
        contact.trust = trust
        contact.verification = verification
        contact.verifiedAt = try reader.optionalTime()
        let flags = try reader.byte()
        contact.isUncompared = flags & Flag.isUncompared != 0
        contact.suiteRule =
            switch (flags & Flag.onlySuiteTwo, flags & Flag.onlySuiteOne) {
            case (0, 0): .any
            case (_, 0): .onlyTwo
            case (0, _): .onlyOne
            default: throw .malformed
            }
        guard flags < 32, kind == version(of: contact) else { throw .malformed }
        contact.requiresVerification = flags & Flag.requiresVerification != 0
        contact.isRepaired = flags & Flag.isRepaired != 0
        contact.trashedAt = try reader.optionalTime()
        if try reader.bool() {
            let byPeer = try reader.bool()
            let at = try reader.time()
            guard let reason = RevokeReason(rawValue: try reader.byte()) else { throw .malformed }
            contact.ended = Contact.End(byPeer: byPeer, at: at, reason: reason)
        }
        let count = try reader.byte()
        guard count <= Contact.maximumPairings else { throw .malformed }
        for _ in 0..<count { contact.pairings.append(try entry(&reader)) }
        try reader.finish()
        return contact
    }

    private static func entry(_ reader: inout ContentReader) throws(HSIPError) -> PairingEntry {
        guard let id = PairingID(bytes: try reader.take(16)) else { throw .malformed }
        let offerIssued = try reader.time()
        let answerIssued = try reader.time()
        let transcript = try reader.take(32)
        let flags = try reader.byte()
        guard flags < 16 else { throw .malformed }
        return PairingEntry(
            id: id,
            offerIssued: offerIssued,
            answerIssued: answerIssued,
            transcript: transcript,
            role: flags & Flag.answerer != 0 ? .answerer : .offerer,
            isLegacy: flags & Flag.legacy != 0,
            isConfirmed: flags & Flag.confirmed != 0,
            isMuted: flags & Flag.muted != 0
        )
    }
}
