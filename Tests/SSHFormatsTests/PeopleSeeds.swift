import Fuzz
import HSIP
import Support
import VaultCrypto

/// Fixtures of the codes between people and of their records, in suite 02.
enum PeopleSeeds {
    /// Codes as bytes, and one as a text.
    static func codes() throws -> [[UInt8]] {
        let duo = try Duo()
        let offer = try duo.alice.offer()
        let answer = try duo.bob.answer(offer)
        _ = try duo.alice.take(.answer(answer))
        let rotate = try duo.alice.rotate(duo.bob)
        let accept = try duo.bob.accept(rotate)
        return [offer.bytes, answer.bytes, rotate.bytes, accept.bytes, "> ".bytes + accept.text.bytes]
    }

    /// Records of two people while a rotation and an offer wait, each after the byte of its kind.
    static func records() throws -> [[UInt8]] {
        let duo = try Duo.acquainted()
        _ = try duo.alice.offer()
        _ = try duo.bob.accept(try duo.alice.rotate(duo.bob))
        return try [duo.alice.book, duo.bob.book].flatMap(records)
    }

    private static func records(_ book: Book) throws -> [[UInt8]] {
        var seeds = [[3] + exposed(try RecordContent.encode(book.identity))]
        seeds += try book.contacts.values.map { [0] + exposed(try RecordContent.encode($0)) }
        seeds += try book.pairings.values.map { [1] + exposed(try RecordContent.encode($0)) }
        seeds += try book.offers.values.map { [2] + exposed(try RecordContent.encode($0)) }
        seeds.append([4] + [1] + [UInt8](repeating: 0, count: 4) + book.identity.revocation.bytes)
        seeds += try book.seen.values.map { [5] + exposed(try RecordContent.encode($0)) }
        return seeds + [[6] + exposed(try RecordContent.encode(book.clock))]
    }
}
