internal import CSodium
internal import Glibc

/// A file through libsodium's secretstream and nothing else: read, push or pull, write, one chunk at a time.
final class BareStream {
    private static let chunk = 1 << 16
    /// Bytes that a sealed chunk has more: a tag of the stream, and one of the cipher.
    private static let more = 17
    private static let last: UInt8 = 3
    private let key: [UInt8]

    init() {
        var key = [UInt8](repeating: 0, count: 32)
        unsafe randombytes_buf(&key, key.count)
        self.key = key
    }

    /// A file of random bytes.
    static func fill(_ path: String, count: Int) throws {
        let file = try File(path, O_WRONLY | O_CREAT | O_TRUNC)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<count / bytes.count {
            unsafe randombytes_buf(&bytes, bytes.count)
            try file.write(bytes, bytes.count)
        }
    }

    func seal(_ source: String, to target: String) throws {
        let (input, output) = (try File(source, O_RDONLY), try File(target, O_WRONLY | O_CREAT | O_TRUNC))
        var state = crypto_secretstream_xchacha20poly1305_state()
        var header = [UInt8](repeating: 0, count: 24)
        unsafe crypto_secretstream_xchacha20poly1305_init_push(&state, &header, key)
        try output.write(header, header.count)
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        var sealed = [UInt8](repeating: 0, count: Self.chunk + Self.more)
        var count = 0
        repeat {
            count = try input.read(&bytes, Self.chunk)
            let tag = count < Self.chunk ? Self.last : 0
            unsafe crypto_secretstream_xchacha20poly1305_push(
                &state,
                &sealed,
                nil,
                bytes,
                UInt64(count),
                nil,
                0,
                tag
            )
            try output.write(sealed, count + Self.more)
        } while count == Self.chunk
    }

    func open(_ source: String, to target: String) throws {
        let (input, output) = (try File(source, O_RDONLY), try File(target, O_WRONLY | O_CREAT | O_TRUNC))
        var header = [UInt8](repeating: 0, count: 24)
        _ = try input.read(&header, header.count)
        var state = crypto_secretstream_xchacha20poly1305_state()
        _ = unsafe crypto_secretstream_xchacha20poly1305_init_pull(&state, header, key)
        var bytes = [UInt8](repeating: 0, count: Self.chunk + Self.more)
        var opened = [UInt8](repeating: 0, count: Self.chunk)
        var tag: UInt8 = 0
        repeat {
            let count = try input.read(&bytes, bytes.count)
            let result = unsafe crypto_secretstream_xchacha20poly1305_pull(
                &state,
                &opened,
                nil,
                &tag,
                bytes,
                UInt64(count),
                nil,
                0
            )
            guard result == 0 else { throw BenchmarkError.sodium }
            try output.write(opened, count - Self.more)
        } while tag != Self.last
    }

    /// An open file.
    private final class File {
        private let number: Int32

        init(_ path: String, _ flags: Int32) throws {
            number = unsafe Glibc.open(path, flags, 0o600)
            guard number >= 0 else { throw BenchmarkError.system(errno) }
        }

        /// Reads so many bytes, or to the end.
        func read(_ bytes: inout [UInt8], _ count: Int) throws -> Int {
            var done = 0
            while done < count {
                let got = unsafe bytes.withUnsafeMutableBytes { bytes in
                    unsafe Glibc.read(number, bytes.baseAddress.map { unsafe $0 + done }, count - done)
                }
                guard got >= 0 else { throw BenchmarkError.system(errno) }
                if got == 0 { break }
                done += got
            }
            return done
        }

        func write(_ bytes: [UInt8], _ count: Int) throws {
            var done = 0
            while done < count {
                let put = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe Glibc.write(number, bytes.baseAddress.map { unsafe $0 + done }, count - done)
                }
                guard put >= 0 else { throw BenchmarkError.system(errno) }
                done += put
            }
        }

        deinit {
            close(number)
        }
    }
}
