import HSIP
import Support
import Testing
import VaultCrypto

/// Contacts after a restore (Schemas/hsip-xc1.md section 8, "Restored").
struct UncomparedTests {
    /// Acquainted and compared, as a backup and as it went on.
    private func compared() throws -> (duo: Duo, backup: TestPeer.Stored) {
        let duo = try Duo.acquainted()
        try duo.alice.perform(.matched(duo.bob.id, .safetyNumber))
        return (duo, duo.alice.stored)
    }

    @Test func `after a restore no one counts as compared until someone compares`() throws {
        let (duo, backup) = try compared()
        #expect(duo.alice.contact(duo.bob)?.isVerified == true)
        duo.alice.restore(backup)
        let seen = try #require(duo.alice.settled.contacts[duo.bob.id])
        #expect(seen.trust == .verified && seen.isUncompared && !seen.isVerified)
        // A record that is written since still says so.
        try duo.alice.perform(.setContact(duo.bob.id, ContactChange(note: "x")))
        #expect(duo.alice.contact(duo.bob)?.isUncompared == true)
        let rotated = try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest()))
        #expect(rotated.notices.contains(.notComparedSinceRestore))
        try duo.alice.perform(.matched(duo.bob.id, .safetyNumber))
        #expect(duo.alice.contact(duo.bob)?.isVerified == true)
    }

    @Test func `an identity that ended after the copy was made stays ended`() throws {
        let (duo, backup) = try compared()
        try duo.alice.take(.revoke(duo.bob.book.identity.revocation))
        var copy = backup.book
        let known = copy.carry(
            from: duo.alice.book,
            successors: [:],
            isWhole: true,
            at: Moment(wallClock: duo.clock.now)
        )
        #expect(known == [duo.bob.id])
        #expect(copy.contacts[duo.bob.id]?.trust == .revoked)
        #expect(copy.revoked[duo.bob.id] != nil)
        #expect(copy.contacts[duo.bob.id]?.pairings.isEmpty == true)
        #expect(copy.pairings.values.allSatisfy { $0.rotation == nil })
    }

    @Test(arguments: [true, false])
    func `what a newer vault knows is carried, and counts as compared only if it is whole`(isWhole: Bool)
        throws
    {
        let (duo, backup) = try compared()
        var doubtful = try #require(duo.alice.contact(duo.bob))
        doubtful.trust = .suspicious
        doubtful.isRepaired = true
        doubtful.requiresVerification = true
        try duo.alice.plant(doubtful)
        var copy = backup.book
        let moment = Moment(wallClock: duo.clock.now)
        _ = copy.carry(from: duo.alice.book, successors: [:], isWhole: isWhole, at: moment)
        let merged = try #require(copy.contacts[duo.bob.id])
        #expect(merged.trust == .suspicious && merged.isRepaired && merged.requiresVerification)
        #expect(merged.isUncompared == !isWhole)
        #expect(merged.pairings == backup.book.contacts[duo.bob.id]?.pairings)
    }

    @Test func `a pin that took the place of one in the copy stays`() throws {
        let (duo, backup) = try compared()
        let other = try duo.stranger()
        try duo.alice.perform(.trustNewKey(duo.bob.id, .offer(try other.offer())))
        var copy = backup.book
        let successors = [duo.bob.id: other.id]
        let known = copy.carry(
            from: duo.alice.book,
            successors: successors,
            isWhole: true,
            at: Moment(wallClock: duo.clock.now)
        )
        #expect(known == [other.id] && copy.contacts[duo.bob.id] == nil)
        #expect(copy.contacts[other.id]?.alias == backup.book.contacts[duo.bob.id]?.alias)
        #expect(copy.contacts[other.id]?.pairings.isEmpty == true)
        #expect(copy.pairings.values.allSatisfy { $0.rotation == nil })
    }

    @Test func `a session that the newer vault no longer remembers has ended`() throws {
        let (duo, backup) = try compared()
        var newer = duo.alice.book
        newer = Book(
            identity: newer.identity,
            contacts: newer.contacts.values.map { contact in
                var contact = contact
                contact.pairings = []
                return contact
            }
        )
        var copy = backup.book
        _ = copy.carry(from: newer, successors: [:], isWhole: true, at: Moment(wallClock: duo.clock.now))
        #expect(copy.contacts[duo.bob.id]?.pairings.isEmpty == true)
        #expect(copy.pairings.values.allSatisfy { $0.rotation == nil })
    }

    @Test func `the content of a contact says it by its version`() throws {
        let (duo, _) = try compared()
        var contact = try #require(duo.alice.contact(duo.bob))
        contact.suiteRule = .any
        let plain = try RecordContent.encode(contact).withBytes { $0.copied() }
        contact.isUncompared = true
        let content = try RecordContent.encode(contact)
        var bytes = content.withBytes { $0.copied() }
        #expect(plain[0] == 1 && bytes[0] == 2 && plain.count == bytes.count)
        #expect(try RecordContent.contact(content, peerID: contact.peerID) == contact)
        for version: UInt8 in [1, 3] {
            bytes[0] = version
            #expect(throws: HSIPError.self) {
                try RecordContent.contact(Secret(copying: bytes), peerID: contact.peerID)
            }
        }
    }
}
