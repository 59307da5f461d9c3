import Commands
import Secrets
import Testing
import VaultCrypto
import VaultLifecycle

@testable import hsip

/// Shares of a recovery secret, as the command line makes and knows them.
@Suite struct SharingTests {
    @Test func `a sharing is known by the name of its slot, and by no other name`() throws {
        for count in 2...16 {
            for threshold in 2...count {
                let sharing = try #require(Sharing(threshold: threshold, of: count))
                #expect(Sharing(label: sharing.label) == sharing)
                for identifier in [0, 0xA, 0x7FFF] as [UInt16] {
                    let known = try #require(
                        Sharing(threshold: threshold, of: count, identifier: identifier)
                    )
                    #expect(Sharing(label: known.label) == known && known != sharing)
                }
            }
        }
        for label in [
            "", "paper", "shares", "shares 1 of 3", "shares 4 of 3", "shares 2 of 17", "shares 02 of 3",
            "shares 2 of 3 ", "shares 2 of 3 more", "Shares 2 of 3", "shares two of 3", "shares -2 of 3",
            "shares 2 of 3 8000", "shares 2 of 3 a", "shares 2 of 3 1A2B", "shares 2 of 3 +1a2",
        ] {
            #expect(Sharing(label: label) == nil, "\(label)")
        }
        #expect(Sharing(threshold: 1, of: 2) == nil && Sharing(threshold: 3, of: 2) == nil)
        #expect(Sharing(threshold: 2, of: 17) == nil)
    }

    @Test func `shares that are made give the secret of the slot`() throws {
        let sharing = try #require(Sharing(threshold: 2, of: 3))
        let new = try NewShares(sharing)
        #expect(new.sharing.identifier != nil && new.sharing.label.hasPrefix(sharing.label + " "))
        #expect(new.texts.count == 3 && new.secret.count == RecoveryText.secretSize)
        var collection = ShareCollection()
        for text in new.texts.dropFirst() { try collection.add(try ShareText.read(text)) }
        let secret = try collection.secret()
        let isSame = ConstantTime.equal(secret, new.secret)
        #expect(isSame)
        #expect(NewShares.files("a/b", sharing) == ["a/b-1", "a/b-2", "a/b-3"])
    }

    @Test(
        arguments: [
            (["--shares", "unlock"], true, ["unlock"]), (["vault", "restore", "f", "--shares"], true, nil),
            (
                ["--shares", "vault", "shares", "make", "--shares", "3"], true,
                ["vault", "shares", "make", "--shares", "3"]
            ),
            (["vault", "shares", "make", "--threshold", "2", "--shares", "3"], false, nil),
            (["vault", "shares", "list", "--shares"], true, ["vault", "shares", "list"]),
            (["unlock", "--", "--shares"], false, nil), (["run", "program", "--shares"], false, nil),
            (["keyring", "run", "program", "--shares"], false, nil),
        ] as [([String], Bool, [String]?)]
    )
    func `the option is everywhere but where it says how many`(
        arguments: [String],
        asks: Bool,
        rest: [String]?
    ) throws {
        let (globals, words) = try Globals.split(arguments)
        #expect(globals.asksShares == asks)
        if let rest { #expect(words == rest) }
    }
}
