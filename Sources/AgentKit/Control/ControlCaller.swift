package import AgentProtocol

/// Who is at the other end of a control connection: what the kernel says of it, and what it says.
package struct ControlCaller: Sendable {
    package let peer: Peer
    /// Its greeting; worth no more than the program's word.
    package let hello: Hello

    package init(_ peer: Peer, _ hello: Hello) {
        self.peer = peer
        self.hello = hello
    }
}
