import SSHFormats
import Testing
import VaultCrypto

@Suite struct SSHAgentFrameTests {
    private static func whole(_ frame: SSHAgentFrame) -> [UInt8] {
        switch frame {
        case .open(let code, let body): [code] + body
        case .secret(let code, let body): [code] + AgentMessages.exposed(body)
        }
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64, 4079, 4080, 4081, 100_000])
    func `messages come out whole, however they arrive`(step: Int) throws {
        let lengths = [1, 2, 3, 4076, 4077, 9000, 1, 70_000, 5]
        // Open messages and secret ones in turn.
        let messages = lengths.enumerated().map { index, length in
            [index % 2 == 0 ? 13 : 17] + [UInt8](repeating: UInt8(index), count: length - 1)
        }
        var rest = messages.flatMap(AgentMessages.framed)[...]
        var reader = try SSHAgentFrameReader()
        var found: [[UInt8]] = []
        while !rest.isEmpty {
            let count = AgentMessages.feed(Array(rest.prefix(step)), to: &reader)
            #expect(count > 0)
            rest = rest.dropFirst(count)
            while let frame = try reader.next() { found.append(Self.whole(frame)) }
        }
        #expect(found == messages)
        let isPartial = reader.isPartial
        #expect(!isPartial)
    }

    @Test func `a message of no bytes, or of too many, is refused by its length alone`() throws {
        for (length, error) in [
            ([0, 0, 0, 0], SSHFormatError.malformed), ([0, 4, 0, 1], .oversized(limit: 256 << 10)),
            ([255, 255, 255, 255], .oversized(limit: 256 << 10)),
        ] as [([UInt8], SSHFormatError)] {
            var reader = try SSHAgentFrameReader()
            AgentMessages.feed(length, to: &reader)
            var thrown: SSHFormatError?
            do throws(SSHFormatError) { _ = try reader.next() } catch { thrown = error }
            #expect(thrown == error)
        }
    }

    @Test func `the longest message is taken`() throws {
        let message = [UInt8](repeating: 11, count: SSHAgentFrameReader.longest)
        var rest = AgentMessages.framed(message)[...]
        var reader = try SSHAgentFrameReader()
        var found: SSHAgentFrame?
        while !rest.isEmpty {
            rest = rest.dropFirst(AgentMessages.feed(Array(rest), to: &reader))
            found = try reader.next()
        }
        #expect(found.map(Self.whole) == message)
    }

    @Test func `answers have the form that ssh reads`() {
        #expect(SSHAgentReply.failure.frame == [0, 0, 0, 1, 5])
        #expect(SSHAgentReply.success.frame == [0, 0, 0, 1, 6])
        #expect(SSHAgentReply.extensionFailure.frame == [0, 0, 0, 1, 28])
        let one = SSHAgentReply.Identity(blob: [1, 2], comment: [3])
        #expect(
            SSHAgentReply.identities([one]).frame == [
                0, 0, 0, 16, 12, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 0, 0, 0, 1, 3,
            ]
        )
        #expect(SSHAgentReply.signature([9]).frame == [0, 0, 0, 6, 14, 0, 0, 0, 1, 9])
        #expect(
            SSHAgentReply.extensions(["a"]).frame == [0, 0, 0, 15, 29, 0, 0, 0, 5] + "query".bytes + [
                0, 0, 0, 1, 97,
            ]
        )
    }

    @Test func `more keys than ssh reads are left out`() {
        let long = SSHAgentReply.Identity(blob: [UInt8](repeating: 0, count: 1000), comment: [])
        let frame = SSHAgentReply.identities([SSHAgentReply.Identity](repeating: long, count: 1000)).frame
        #expect(frame.count <= SSHAgentFrameReader.longest + 4)
        #expect(frame[8] == 4, "260 keys: \(frame[5..<9])")
        let short = SSHAgentReply.Identity(blob: [], comment: [])
        let many = SSHAgentReply.identities([SSHAgentReply.Identity](repeating: short, count: 3000)).frame
        #expect(Array(many[5..<9]) == [0, 0, 8, 0])
    }
}
