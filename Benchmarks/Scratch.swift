internal import Glibc

/// Small files of ours.
enum Scratch {
    /// Makes a folder that only we may enter.
    static func makeFolder(_ path: String) throws {
        guard unsafe mkdir(path, 0o700) == 0 else { throw BenchmarkError.system(errno) }
    }

    /// Writes a new file that only we may read.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { throw BenchmarkError.system(errno) }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BenchmarkError.system(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// All of a file.
    static func read(_ path: String) throws -> [UInt8] {
        let file = unsafe open(path, O_RDONLY)
        guard file >= 0 else { throw BenchmarkError.system(errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes {
                unsafe Glibc.read(file, $0.baseAddress, $0.count)
            }
            guard count >= 0 else { throw BenchmarkError.system(errno) }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }

    /// The path of this program.
    static func ownPath() throws -> String {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { throw BenchmarkError.system(errno) }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Bytes of a file.
    static func size(_ path: String) throws -> Int {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { throw BenchmarkError.system(errno) }
        return Int(facts.st_size)
    }

    /// The resident memory of a process in KiB; without a number that of this one.
    static func residentMemory(of process: Int? = nil) throws -> Int {
        let status = try read("/proc/\(process.map { "\($0)" } ?? "self")/status")
        guard let size = number(after: "VmRSS:", in: status) else { throw BenchmarkError.usage }
        return size
    }

    /// The number that follows a word in a text.
    static func number(after word: String, in text: [UInt8]) -> Int? {
        let text = String(decoding: text, as: UTF8.self)
        guard let start = text.firstRange(of: word)?.upperBound else { return nil }
        return Int(text[start...].drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber })
    }
}
