import Foundation
import Secrets
import Testing
import VaultCrypto

/// Known answers and shorthands for the tests of shares.
enum Samples {
    /// One of the official cases of SLIP-0039; an empty secret is a refusal.
    struct Official: Decodable, CustomTestStringConvertible, Sendable {
        let name: String
        let mnemonics: [String]
        let secret: String
        var testDescription: String { name }
    }

    struct Standard: Decodable, Sendable {
        let passphrase: String
        let cases: [Official]
        let words: [String]
    }

    /// A sharing that another implementation made from given randomness.
    struct Sharing: Decodable, Sendable {
        let threshold: Int
        let count: Int
        let identifier: UInt16
        let secret: String
        let recoveryText: String
        let shares: [String]
    }

    struct Sharings: Decodable, Sendable { let sets: [Sharing] }

    private static func data(_ name: String) throws -> Data {
        try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent()
                .appending(path: "../../Schemas/vectors/\(name)").standardized
        )
    }

    static func standard() throws -> Standard {
        try JSONDecoder().decode(Standard.self, from: data("slip-0039.json"))
    }

    static func sharings() throws -> [Sharing] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Sharings.self, from: data("shares.json")).sets
    }

    /// The bytes that call number `call` for randomness gets in the known answers.
    static func fixed(_ call: UInt64, _ count: Int) -> [UInt8] {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: call >> UInt64(56 - 8 * $0)) }
        let block = try? KeyedHash.blake2b(number, key: Array("HSIP-VAULT vectors".utf8), count: 64)
        return Array((block ?? []).prefix(count))
    }

    static func share(_ text: String) throws(ShareError) -> Share { try ShareText.read(Array(text.utf8)) }

    static func text(_ share: Share) throws -> String {
        try ShareText.text(of: share).withBytes { String(decoding: $0.copied(), as: UTF8.self) }
    }

    /// The secret of some shares.
    static func combined(_ shares: [Share], passphrase: String = "") throws(ShareError) -> [UInt8] {
        var collection = ShareCollection()
        for share in shares { try collection.add(share) }
        return try collection.secret(passphrase: Array(passphrase.utf8)).withBytes { $0.copied() }
    }

    static func split(_ threshold: Int, of count: Int, _ secret: [UInt8] = Array(0..<16)) throws -> [Share] {
        try Share.split(try SecretBytes(copying: secret), threshold: threshold, count: count)
    }

    /// What an act throws, or nil.
    static func refusal<R>(_ act: () throws -> R) -> ShareError? {
        do {
            _ = try act()
            return nil
        } catch {
            return error as? ShareError
        }
    }
}

extension Array {
    /// All ways to take so many of the elements, in their order.
    func choices(of count: Int) -> [[Element]] {
        guard count > 0 else { return [[]] }
        guard let first else { return [] }
        let rest = Array(dropFirst())
        return rest.choices(of: count - 1).map { [first] + $0 } + rest.choices(of: count)
    }
}
