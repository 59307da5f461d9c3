import AgentProtocol
import CLinux
import Glibc
import Testing

@testable import AgentKit

@Suite struct PeerTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `the kernel says who connected and what it runs`() throws {
        let pair = try SocketPair()
        let peer = try Peer(socket: pair.ours)
        #expect(peer.uid == geteuid())
        #expect(peer.pid == getpid())
        #expect(peer.isAlive)
        #expect(peer.program == .unknown)
        peer.identify(on: pair.ours)
        #expect(peer.program == ProcessFacts.program(of: getpid()))
        #expect(peer.program != .unknown)
        #expect(peer.programNow == peer.program)
        // What it had said before it was looked at may have been said by another program.
        #expect(peer.speaker == .unknown && peer.speakerNow == .unknown)
        #expect(peer.hears(getpid()))
        #expect(peer.speaker == peer.program && peer.speakerNow == peer.program)
        #expect(
            peer.chain.first == peer.program.path.flatMap { $0.split(separator: "/").last.map(String.init) }
        )
    }

    /// What was seen of a child, gathered on a thread that may wait.
    struct Seen: Sendable {
        var first = PeerProgram.unknown
        var chain: [String] = []
        var inside: Set<String> = []
        var hasItself = false
        var before = PeerProgram.unknown
        var echo: UInt8?
        var isAlive = false
        var after = PeerProgram.unknown
    }

    private func watch(
        _ act: @escaping @Sendable (ConnectedChild, Peer, inout Seen) -> Void
    ) async throws -> Seen {
        let folder = folder
        return await onOwnThread {
            var seen = Seen()
            guard let child = try? ConnectedChild(in: folder), let peer = try? Peer(socket: child.socket)
            else {
                return seen
            }
            peer.identify(on: child.socket)
            (seen.first, seen.chain, seen.before) = (peer.program, peer.chain, peer.programNow)
            act(child, peer, &seen)
            (seen.isAlive, seen.after) = (peer.isAlive, peer.programNow)
            child.end()
            return seen
        } while: {
        }
    }

    @Test func `a program that connected and then became another one is unknown`() async throws {
        let seen = try await watch { child, _, seen in
            child.say("1")
            child.say("x")
            // The echo comes from the second program.
            seen.echo = child.hear()
        }
        #expect(seen.first.path?.contains("python") == true)
        #expect(seen.before == seen.first)
        #expect(seen.echo == UInt8(ascii: "x"))
        #expect(seen.isAlive)
        #expect(seen.after == .unknown)
    }

    @Test func `a program that ended is unknown, also when its number is used again`() async throws {
        let seen = try await watch { child, _, _ in child.end() }
        #expect(seen.first != .unknown)
        #expect(!seen.isAlive)
        #expect(seen.after == .unknown)
    }

    @Test func `one that ended before it was looked at is unknown`() async throws {
        let seen = try await watch { child, _, seen in
            child.end()
            let late = try? Peer(socket: child.socket)
            late?.identify(on: child.socket)
            (seen.first, seen.chain) = (late?.program ?? .unknown, late?.chain ?? [])
        }
        #expect(seen.first == .unknown)
        #expect(seen.chain == [])
    }

    @Test func `the chain leads from the program upwards`() async throws {
        let seen = try await watch { _, _, _ in }
        #expect(seen.chain.first?.contains("python") == true)
        #expect(
            seen.chain.dropFirst().first == ProcessFacts.chain(from: getpid(), startedBy: .max).first?.name
        )
    }

    @Test func `a process runs inside its program, those that started it, and its units`() async throws {
        let mine = try #require(ProcessFacts.program(of: getpid()).path)
        let units = ProcessFacts.units(of: getpid()).map { "unit:\($0)" }
        let seen = try await watch { child, peer, seen in
            seen.inside = peer.inside
            seen.hasItself = peer.program.path.map(seen.inside.contains) ?? false
        }
        #expect(seen.hasItself)
        #expect(seen.inside.contains(mine))
        #expect(seen.inside.isSuperset(of: units))
    }

    @Test func `the units around a process are the parts of its control group`() {
        func units(_ text: String) -> [String] { ProcessFacts.units(in: Array(text.utf8)) }
        #expect(
            units("0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-code-7.scope\n")
                == ["user.slice", "user-1000.slice", "user@1000.service", "app.slice", "app-code-7.scope"]
        )
        // Beside hierarchies of single controllers, which name groups as they like.
        #expect(
            units("12:cpu,cpuacct:/fake.slice\n1:name=systemd:/tools.slice/_cgroup.service\n")
                == ["tools.slice", "cgroup.service"]
        )
        for text in ["", "0::/\n", "0::", "::", "0:/a.slice", "\n\n", "0:name=other:/a.slice"] {
            #expect(units(text) == [], "\(text)")
        }
        #expect(ProcessFacts.units(in: Array("0::/".utf8) + [0xFF, 0xFE]) == [])
    }

    @Test func `a process that has the number of a parent that ended is not in the chain`() throws {
        let start = try #require(ProcessStat(of: getpid())?.start)
        #expect(start > 0)
        #expect(!ProcessFacts.chain(from: getpid(), startedBy: start).isEmpty)
        #expect(ProcessFacts.chain(from: getpid(), startedBy: start - 1).isEmpty)
    }

    @Test func `a program is not known while something that it sent was not read`() throws {
        let pair = try SocketPair()
        let peer = try Peer(socket: pair.ours)
        #expect(pair.send([1]))
        peer.identify(on: pair.ours)
        #expect(peer.program == .unknown)
        var byte: UInt8 = 0
        #expect(unsafe read(pair.ours, &byte, 1) == 1)
        peer.identify(on: pair.ours)
        #expect(peer.program == ProcessFacts.program(of: getpid()))
    }

    @Test func `who leaves the writing to another process is unknown for good`() throws {
        let pair = try SocketPair()
        let peer = try Peer(socket: pair.ours)
        #expect(peer.hears(0))
        #expect(peer.hears(getpid()))
        peer.identify(on: pair.ours)
        #expect(peer.hears(getpid()))
        #expect(!peer.hears(getppid()))
        #expect(peer.program == .unknown && peer.speakerNow == .unknown && peer.chain == [])
        _ = peer.hears(getpid())
        peer.identify(on: pair.ours)
        #expect(peer.program == .unknown)
    }

    @Test func `who had another process greet is unknown for good`() throws {
        let pair = try SocketPair()
        let peer = try Peer(socket: pair.ours)
        #expect(peer.hears(getppid()))
        peer.identify(on: pair.ours)
        #expect(peer.program == .unknown)
        #expect(peer.hears(getppid()))
    }

    @Test func `what arrives tells which process wrote it, and brings no descriptors`() async throws {
        let folder = folder
        let (writer, pid) = await onOwnThread { () -> (Int32, Int32) in
            guard let child = try? ConnectedChild(in: folder) else { return (0, -1) }
            child.say("1")
            child.say("x")
            var (byte, writer): (UInt8, Int32) = (0, 0)
            _ = unsafe hsip_receive(child.socket, &byte, 1, 0, &writer)
            child.end()
            return (writer, child.pid)
        } while: {
        }
        #expect(writer == pid)
    }

    @Test func `numbers that no process has tell nothing`() {
        #expect(ProcessStat(of: getpid())?.parent == getppid())
        #expect(ProcessStat(of: -1) == nil)
        #expect(ProcessFacts.program(of: 0) == .unknown)
        #expect(ProcessFacts.chain(from: 0, startedBy: .max).isEmpty)
    }
}
