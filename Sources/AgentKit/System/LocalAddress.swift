internal import Glibc

/// The address of a local socket, for the calls that want one.
struct LocalAddress {
    private let path: [UInt8]

    /// - Parameter path: at most `Listener.longestPath` bytes.
    init(_ path: String) {
        self.path = Array(path.utf8.prefix(Listener.longestPath))
    }

    /// bind(2).
    func bind(_ socket: Int32) -> Int32 {
        unsafe withAddress { unsafe Glibc.bind(socket, $0, $1) }
    }

    /// connect(2).
    func connect(_ socket: Int32) -> Int32 {
        unsafe withAddress { unsafe Glibc.connect(socket, $0, $1) }
    }

    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
