import Glibc
import SSHFormats
import Support
import Testing
import VaultKit

@testable import AgentKit

/// Clients that do what no client should: it costs them their connection, and no one else anything.
@Suite struct SSHHostileTests {
    private static let list: [UInt8] = [11]

    /// Whether the agent still answers someone new.
    private func answers(_ fixture: SSHFixture) async throws -> Bool {
        let client = try fixture.connect()
        return await client.asked(Self.list)?.first == 12
    }

    @Test(arguments: [[0, 0, 0, 0], [0, 4, 0, 1, 11], [255, 255, 255, 255, 0]] as [[UInt8]])
    func `a length that cannot be ends the connection`(bytes: [UInt8]) async throws {
        let fixture = try SSHFixture()
        let client = try fixture.connect()
        client.send(bytes)
        let answer = await onOwnThread {
            client.answer()
        } while: {
        }
        #expect(answer == nil)
        #expect(try await answers(fixture))
    }

    @Test func `a message byte by byte, and several in one write, are all answered`() async throws {
        let fixture = try SSHFixture()
        let client = try fixture.connect()
        for byte in SSHClient.frame(Self.list) { client.send([byte]) }
        client.send(SSHClient.frame(Self.list) + SSHClient.frame([200]) + SSHClient.frame([9]) + [0, 0])
        let codes = await onOwnThread { () -> [UInt8?] in
            (0..<4).map { _ in client.answer()?.first }
        } while: {
        }
        #expect(codes == [12, 12, 5, 6])
        #expect(try await answers(fixture))
    }

    @Test func `half a message and then nothing harms no one else`() async throws {
        let fixture = try SSHFixture()
        let clients = try (0..<40).map { _ in try fixture.connect() }
        for client in clients { client.send([0, 0, 1, 0, 13, 0]) }
        #expect(try await answers(fixture))
    }

    @Test func `200 clients at once are all served, and those above the limit are turned away`() async throws
    {
        let fixture = try SSHFixture(perProcess: SSHServer.maximumConnections)
        let clients = try (0..<200).map { _ in try fixture.connect() }
        for client in clients { client.send(SSHClient.frame(Self.list)) }
        let served = await onOwnThread {
            clients.filter { $0.answer()?.first == 12 }.count
        } while: {
        }
        #expect(served == 200)
        let more = try (0..<100).map { _ in try fixture.connect() }
        for client in more { client.send(SSHClient.frame(Self.list)) }
        let others = await onOwnThread {
            more.filter { $0.answer()?.first == 12 }.count
        } while: {
        }
        #expect(others == SSHServer.maximumConnections - 200)
    }

    @Test func `one process that takes all the places it gets leaves places for others`() async throws {
        let fixture = try SSHFixture()
        let clients = try (0..<300).map { _ in try fixture.connect() }
        for client in clients { client.send(SSHClient.frame(Self.list)) }
        let served = await onOwnThread {
            clients.filter { $0.answer()?.first == 12 }.count
        } while: {
        }
        #expect(served == SSHServer.maximumPerProcess)
        // 2 would say that it could not connect.
        #expect(await fixture.run("ssh-add -l").status == 1)
    }

    @Test func `agents that are passed on take half of the places, and no more`() async throws {
        let fixture = try SSHFixture(perProcess: SSHServer.maximumConnections)
        // A bind that cannot be read makes the connection one that may come from anywhere.
        var bind = WireWriter()
        bind.byte(27)
        bind.string("session-bind@openssh.com")
        let frame = SSHClient.frame(bind.bytes)
        let clients = try (0..<SSHServer.maximumForwarded + 40).map { _ in try fixture.connect() }
        for client in clients { client.send(frame) }
        let served = await onOwnThread {
            clients.filter { $0.answer() != nil }.count
        } while: {
        }
        #expect(served == SSHServer.maximumForwarded)
        #expect(try await fixture.connect().asked(Self.list)?.first == 12)
        // A place that becomes free is taken by the next one.
        clients.forEach { $0.hangUp() }
        let next = await onOwnThread { () -> UInt8? in
            // Each connection ends on a thread of its own.
            while true {
                guard let client = try? fixture.connect() else { return nil }
                client.send(frame)
                if let answer = client.answer() { return answer.first }
            }
        } while: {
        }
        #expect(next == 28)
    }

    @Test func `a refused extension with a long body is one message, not several`() async throws {
        let fixture = try SSHFixture()
        let client = try fixture.connect()
        var message = WireWriter()
        message.byte(27)
        message.string("more@example.org")
        message.raw(SSHClient.frame(Self.list))
        client.send(SSHClient.frame(message.bytes) + SSHClient.frame(Self.list))
        let codes = await onOwnThread { () -> [UInt8?] in
            [client.answer()?.first, client.answer()?.first]
        } while: {
        }
        #expect(codes == [5, 12])
    }

    @Test func `random messages never end the agent`() async throws {
        let fixture = try SSHFixture()
        try await fixture.makeKey("a")
        var random = SeededGenerator(seed: 11)
        let codes: [UInt8] = [11, 13, 17, 18, 22, 25, 27]
        let client = try fixture.connect()
        for _ in 0..<2_000 {
            let message = [random.pick(codes) ?? 11] + random.bytes(random.number(in: 0...80))
            client.send(SSHClient.frame(message))
            let answer = await onOwnThread {
                client.answer()
            } while: {
            }
            #expect(answer != nil)
        }
        #expect(try await answers(fixture))
    }
}
