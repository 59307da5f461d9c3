/// Why the agent could not get from the system what it needs.
package enum SystemError: Error, Equatable, Sendable {
    /// A call of the system failed with an error number.
    case failed(call: String, code: Int32)
    /// The path of a socket is longer than the system's 107 bytes.
    case pathTooLong(path: String)
    /// Another program listens on the socket.
    case alreadyServed(path: String)
    /// Something that is no socket of ours lies where the socket should be.
    case pathTaken(path: String)
    /// The folder of the sockets is not ours alone.
    case unsafeFolder(path: String)
    /// A descriptor that was handed over is not the listening local socket that it should be.
    case unsuitableSocket(name: String)
}
