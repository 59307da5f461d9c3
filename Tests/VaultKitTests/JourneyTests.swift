import HSIP
import RecordStore
import Testing
import VaultCrypto
import VaultKit

struct JourneyTests {
    @Test(arguments: Backend.allCases)
    func `two people pair by two codes and read each other`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        let hello = try await couple.bob.write("hello", to: couple.alice)
        #expect(hello.notices == [.unconfirmed])
        #expect(try await couple.alice.read(hello) == "hello")
        let answer = try await couple.alice.write("hi Bob", to: couple.bob)
        #expect(try await couple.bob.read(answer) == "hi Bob")
        #expect(try await couple.bob.write("again", to: couple.alice).notices.isEmpty)
    }

    @Test(arguments: Backend.allCases)
    func `a message opens once and is replayed afterwards`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        let message = try await couple.alice.write("once", to: couple.bob)
        #expect(try await couple.bob.read(message) == "once")
        await #expect(throws: VaultError.hsip(.replayed)) { try await couple.bob.read(message) }
        let again = try await couple.bob.vault(Operations.decrypt, message.envelope, nil, true)
        #expect(again.isReread)
    }

    @Test(arguments: Backend.allCases)
    func `message 1000 is sent, 1001 is refused with the code that renews`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        var last: SealedMessage?
        for number in 1...1000 {
            let message = try await couple.alice.write("\(number)", to: couple.bob)
            #expect(message.sent == number)
            let warns = message.notices.contains { if case .rekeySoon = $0 { true } else { false } }
            #expect(warns == (900..<1000).contains(number))
            last = message
        }
        guard case .limitReached(.some(let text)) = last?.notices.first else {
            Issue.record("message 1000 says that it was the last")
            return
        }
        let refusal = await #expect(throws: VaultError.self) {
            try await couple.alice.write("1001", to: couple.bob)
        }
        #expect(refusal == .hsip(.rekeyRequired(code: text)))

        let rotate = try #require(try await couple.bob.vault(Operations.codesIn, Array(text.utf8)).first).code
        let accept = try #require(try await couple.bob.vault(Operations.accept, rotate, AcceptOptions()).code)
        _ = try await couple.alice.vault(Operations.accept, accept, AcceptOptions())
        let fresh = try await couple.alice.write("renewed", to: couple.bob)
        #expect(fresh.sent == 1)
        #expect(try await couple.bob.read(fresh) == "renewed")
        #expect(try await couple.bob.read(try #require(last)) == "1000")
    }

    @Test(arguments: Backend.allCases)
    func `an ended session stays ended, on both sides`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        _ = try await couple.bob.read(try await couple.alice.write("x", to: couple.bob))
        let notice = try #require(try await couple.alice.vault(Operations.revokeSessions, "bob", .ended).code)
        await #expect(throws: VaultError.hsip(.revoked)) {
            try await couple.alice.write("more", to: couple.bob)
        }
        _ = try await couple.bob.vault(Operations.accept, notice, AcceptOptions())
        await #expect(throws: VaultError.hsip(.revoked)) {
            try await couple.bob.write("more", to: couple.alice)
        }
        #expect(
            try await couple.bob.vault(Operations.accept, notice, AcceptOptions()).notices == [.alreadyDone]
        )
    }

    @Test(arguments: Backend.allCases)
    func `an alias can be changed and still names the person`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        _ = try await couple.alice.vault(Operations.setContact, "bob", ContactChange(alias: "robert"))
        let message = try await couple.alice.vault(
            Operations.encrypt,
            try Secret(copying: Array("hi".utf8)),
            "robert"
        )
        #expect(try await couple.bob.read(message) == "hi")
        await #expect(throws: VaultError.hsip(.unknownContact)) {
            try await couple.alice.write("hi", to: couple.bob)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a contact that must be verified gets nothing before`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        _ = try await couple.alice.vault(
            Operations.setContact,
            "bob",
            ContactChange(requiresVerification: true)
        )
        await #expect(throws: VaultError.notVerified) { try await couple.alice.write("hi", to: couple.bob) }
        _ = try await couple.alice.vault(
            Operations.markVerified,
            couple.alice.vault(Operations.comparison, "bob"),
            .safetyNumber
        )
        #expect(try await couple.alice.write("hi", to: couple.bob).sent == 1)
    }

    @Test(arguments: Backend.allCases)
    func `both see the same safety number and the same emoji, with opposite marks`(on backend: Backend)
        async throws
    {
        let couple = try await Couple(backend)
        let hers = try await couple.alice.vault(Operations.comparison, "bob")
        let his = try await couple.bob.vault(Operations.comparison, "alice")
        #expect(hers.number == his.number)
        #expect(hers.emoji == his.emoji)
        #expect(hers.role == .offerer && his.role == .answerer)
        let matched = try await couple.alice.vault(
            Operations.accept,
            .verify(his.code),
            AcceptOptions(contact: "bob", isInPerson: true)
        )
        #expect(matched.contact?.contact.trust == .verified)
    }
}
