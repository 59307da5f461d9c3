import Glibc
import Support
import MessageBus

/// Two connections to a bus of a test's own, both served by the test's thread.
final class BusPair {
    static let name = "io.hsip.Test"

    let server: Bus
    let client: Bus
    private let daemon: PrivateBus

    init() throws {
        daemon = try PrivateBus()
        guard let server = Bus(address: daemon.address), let client = Bus(address: daemon.address) else {
            throw Problem.noBus
        }
        (self.server, self.client) = (server, client)
        // The client has greeted as well then: what it sends leaves at once.
        guard server.own(Self.name) == .owned, client.process(of: Self.name) == getpid() else {
            throw Problem.noName
        }
    }

    enum Problem: Error { case noBus, noName, noCall, lost }

    /// A call of the server's method.
    func call(_ method: String, _ body: (BusMessage) -> Void = { _ in }) throws -> BusMessage {
        guard let call = BusMessage(to: client, Self.name, "/io/hsip", "io.hsip.Test", method) else {
            throw Problem.noCall
        }
        body(call)
        return call
    }

    /// Sends a call, lets the server answer it, and returns the answer.
    func exchange(_ call: BusMessage, _ serve: (BusMessage) -> Void) throws -> BusMessage {
        guard let number = client.begin(call) else { throw Problem.noCall }
        serve(try next(server) { $0.isCall })
        return try next(client) { $0.answers == number }
    }

    /// The next message on a connection that is the one wanted; others are passed over.
    func next(_ bus: Bus, _ isWanted: (BusMessage) -> Bool) throws -> BusMessage {
        while true {
            switch bus.next() {
            case .message(let message): if isWanted(message) { return message }
            case .nothing: break
            case .lost: throw Problem.lost
            case .empty:
                var request = pollfd(fd: bus.descriptor, events: Int16(bus.events), revents: 0)
                _ = unsafe poll(&request, 1, -1)
            }
        }
    }
}
