import Testing
import VaultCrypto

@testable import Secrets

/// The 45 cases that come with SLIP-0039.
struct OfficialCaseTests {
    private static let standard = Result { try Samples.standard() }

    private static var cases: [Samples.Official] { (try? standard.get().cases) ?? [] }

    @Test func `all official cases are there`() { #expect(Self.cases.count == 45) }

    @Test(arguments: cases)
    func `an official case gives its secret, or is refused`(official: Samples.Official) throws {
        let passphrase = try Self.standard.get().passphrase
        func act() throws(ShareError) -> [UInt8] {
            var shares: [Share] = []
            for text in official.mnemonics { shares.append(try Samples.share(text)) }
            return try Samples.combined(shares, passphrase: passphrase)
        }
        guard official.secret.isEmpty else {
            #expect(try act() == Hex.decode(official.secret))
            return
        }
        let expected = try #require(Self.refusal(of: official.name))
        #expect(Samples.refusal(act) == expected)
    }

    /// Which refusal a case is: by what its name says.
    private static func refusal(of name: String) -> ShareError? {
        switch name {
        case let name where name.contains("invalid checksum"): .shareWrong(.checksum)
        case let name where name.contains("invalid padding"): .shareWrong(.content)
        case let name where name.contains("greater group threshold"): .shareWrong(.content)
        case let name where name.contains("insufficient length"): .shareWrong(.wordCount(19))
        case let name where name.contains("invalid master secret length"): .shareWrong(.content)
        case let name where name.contains("different identifiers"): .sharesDiffer(at: 2)
        case let name where name.contains("different iteration"): .sharesDiffer(at: 2)
        case let name where name.contains("mismatching group thresholds"): .sharesDiffer(at: 3)
        case let name where name.contains("mismatching"): .sharesDiffer(at: 2)
        case let name where name.contains("duplicate"): .shareAgain(at: 2)
        case let name where name.contains("invalid digest"): .sharesWrong
        case let name where name.contains("Basic sharing"): .shareCount(needed: 2, found: 1)
        case let name where name.contains("groups (128 bits, case 1"): .shareCount(needed: 2, found: 1)
        case let name where name.contains("groups (256 bits, case 1"): .shareCount(needed: 2, found: 1)
        case let name where name.contains("Insufficient number"): .shareCount(needed: 3, found: 2)
        case let name where name.contains("insufficient number of members"):
            .shareCount(needed: 3, found: 2)
        default: nil
        }
    }
}
