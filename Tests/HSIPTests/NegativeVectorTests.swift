import Presentation
import Testing
import VaultCrypto

@testable import HSIP

/// What another implementation says must be refused, by the same names.
struct NegativeVectorTests {
    @Test func `there are cases of every act`() {
        #expect(NegativeVector.all.count > 430)
        #expect(Set(NegativeVector.all.map(\.context.act)).count == 9)
    }

    @Test(arguments: NegativeVector.all)
    func `a bad code is refused by its name`(vector: NegativeVector) throws {
        #expect(!vector.items.isEmpty)
        for (place, item) in vector.items.enumerated() {
            #expect(try refusal(item.code, vector.context) == item.error, "number \(place)")
        }
    }

    /// The name of the refusal; nil if there is none.
    private func refusal(_ code: String, _ context: NegativeVector.Context) throws -> String? {
        do throws(HSIPError) {
            switch context.act {
            case "message": return try message(Array(code.utf8), context)
            case "legacyKey":
                _ = try LegacyKey.read(Array(code.utf8))
                return nil
            case "extract":
                _ = try CodeText.single(in: Array(code.utf8)) { _ in false }
                return nil
            case "verify":
                guard case .verify(let verify) = try single(code) else { return nil }
                let (contact, own) = try given { (try context.bytes(\.contact), try context.bytes(\.own)) }
                try verify.check(
                    contact: try SafetyNumber.fingerprint(of: contact),
                    own: try SafetyNumber.fingerprint(of: own)
                )
                return nil
            default: return try take(code, context)
            }
        } catch {
            return error.explanation.name
        }
    }

    private func single(_ code: String) throws(HSIPError) -> ExchangeCode {
        try CodeText.single(in: Array(code.utf8)) { _ in false }
    }

    private func take(_ text: String, _ context: NegativeVector.Context) throws(HSIPError) -> String? {
        let code = try single(text)
        let loaded = try given { try context.book() }
        let entropy = try given { try context.entropy() }
        var book = loaded
        let request = CodeOptions(alias: "somebody", isConfirmed: true)
        let asked = context.act == "takeRotate" || context.act == "takeAccept" ? CodeOptions() : request
        let outcome = try book.reduce(.take(code, asked), wallClock: context.now ?? 0, entropy: entropy)
        return outcome.refusal?.explanation.name
    }

    private func message(_ text: [UInt8], _ context: NegativeVector.Context) throws(HSIPError) -> String? {
        guard MessageText.hasMarker(text) else { throw .noMessage }
        let envelope = try MessageText.parse(text)
        let (own, contact, key) = try given {
            (
                try context.bytes(\.own_peerid), try context.bytes(\.contact_peerid),
                try context.secret(\.receive_key)
            )
        }
        if envelope.sender.bytes == own { return Notice.ownMessage.name }
        guard envelope.sender.bytes == contact else { throw .unknownSender }
        _ = try MessageCipher.open(envelope, key: key)
        return nil
    }

    /// A fault of the file is a fault of the test.
    private func given<T>(_ body: () throws -> T) throws(HSIPError) -> T {
        do { return try body() } catch {
            Issue.record("the context is incomplete: \(error)")
            throw .noCode
        }
    }
}
