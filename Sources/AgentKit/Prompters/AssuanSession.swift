internal import Glibc
internal import System
internal import VaultCrypto

/// A conversation with pinentry in the Assuan protocol: one command in a line, answered by `OK`, `ERR` or data (the
/// manual of libassuan, “Client/Server protocol”).
///
/// The output of pinentry is read directly into locked memory and parsed there.
final class AssuanSession {
    /// The length of a line in bytes, including the line feed.
    static let longestLine = 1_000
    /// The largest number of lines before the end of a response.
    private static let maximumLines = 64

    /// The end of a response.
    enum Reply: Equatable {
        case ok
        /// The code without the part that names its source (libgpg-error).
        case error(UInt32)
    }

    private let process: PromptProcess
    private var chunk: SecretBytes
    private var (filled, taken) = (0, 0)

    /// Begins a conversation with a started program, and waits for its greeting.
    init(_ process: PromptProcess) throws(PromptError) {
        self.process = process
        chunk = try PromptMemory.bytes(4_096)
        guard try reply().0 == .ok else { throw .malformed }
    }

    /// Sends a command and reads its response; data in it are dropped.
    func command(_ name: String, _ argument: String? = nil) throws(PromptError) -> Reply {
        try send(name, argument)
        return try reply().0
    }

    /// Sends a command and reads its response and its data.
    func secret(_ name: String) throws(PromptError) -> (Reply, Secret?) {
        try send(name, nil)
        return try reply()
    }

    /// Escapes an argument for a line: `%` and control characters.
    ///
    /// - Throws: `tooLong` if it exceeds the line: the person would otherwise answer a truncated prompt.
    static func escaped(_ text: String, limit: Int = longestLine - 32) throws(PromptError) -> [UInt8] {
        var out: [UInt8] = []
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            out +=
                scalar.value < 0x20 || scalar == "%"
                ? Array("%\(Hex.encode(bytes).uppercased())".utf8) : bytes
            guard out.count <= limit else { throw .tooLong }
        }
        return out
    }

    private func send(_ name: String, _ argument: String?) throws(PromptError) {
        var line = Array(name.utf8)
        if let argument { line += [0x20] + (try Self.escaped(argument)) }
        try process.write(line + [0x0A])
    }

    private func reply() throws(PromptError) -> (Reply, Secret?) {
        var data = try PromptMemory.buffer()
        for _ in 0..<Self.maximumLines {
            let line = try line()
            switch line.withBytes({ Self.kind(of: $0) }) {
            case .ok: return (.ok, data.count > 0 ? Secret(try PromptMemory.finish(data)) : nil)
            case .error(let code): return (.error(code), nil)
            case .note: continue
            case .data: try Self.decode(line, into: &data)
            case .unknown: throw .malformed
            }
        }
        throw .tooLong
    }

    /// Reads the next line, without its line feed.
    private func line() throws(PromptError) -> SecretBytes {
        var line = try PromptMemory.buffer(Self.longestLine)
        while true {
            if taken == filled {
                let count = try chunk.withMutableBytes { span throws(PromptError) in
                    try process.read(into: &span)
                }
                guard count > 0 else { throw .failed(status: try process.status()) }
                (filled, taken) = (count, 0)
            }
            let place = taken
            let byte = chunk.withBytes { $0.byte(at: place) }
            taken += 1
            guard byte != 0x0A else { return try PromptMemory.finish(line) }
            try PromptMemory.append(byte, to: &line)
        }
    }

    private enum Kind {
        case ok, data, note, unknown
        case error(UInt32)
    }

    private static func kind(of span: RawSpan) -> Kind {
        func begins(_ word: String) -> Bool {
            let bytes = Array(word.utf8)
            guard span.byteCount >= bytes.count else { return false }
            return bytes.indices.allSatisfy { span.byte(at: $0) == bytes[$0] }
                && (span.byteCount == bytes.count || span.byte(at: bytes.count) == 0x20)
        }
        if begins("OK") { return .ok }
        if begins("D") { return .data }
        if begins("S") || span.byteCount == 0 || span.byte(at: 0) == 0x23 { return .note }
        guard begins("ERR") else { return .unknown }
        var (code, index): (UInt32, Int) = (0, 4)
        while index < span.byteCount, (0x30...0x39).contains(span.byte(at: index)), code < 1 << 28 {
            code = code * 10 + UInt32(span.byte(at: index) - 0x30)
            index += 1
        }
        return index > 4 ? .error(code & 0xFFFF) : .unknown
    }

    /// Decodes the data of a line `D …`, in which `%25` is one byte.
    private static func decode(_ line: borrowing SecretBytes, into out: inout SecretBuffer)
        throws(PromptError)
    {
        var index = 2
        while index < line.count {
            var byte = line.withBytes { $0.byte(at: index) }
            index += 1
            if byte == 0x25 {
                guard index + 2 <= line.count else { throw .malformed }
                let (high, low) = line.withBytes {
                    (digit($0.byte(at: index)), digit($0.byte(at: index + 1)))
                }
                guard let high, let low else { throw .malformed }
                byte = high << 4 | low
                index += 2
            }
            try PromptMemory.append(byte, to: &out)
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
