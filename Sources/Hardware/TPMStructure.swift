internal import CTSSLoader
internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// A structure of the library that is parsed from its bytes on the wire, and wiped at the end.
@safe struct TPMStructure: ~Copyable {
    typealias Unmarshal =
        @convention(c) (
            UnsafePointer<UInt8>, Int, UnsafeMutablePointer<Int>, UnsafeMutableRawPointer
        ) -> UInt32

    /// The memory of the structure.
    let memory: UnsafeMutableRawPointer
    private static let room = Int(HSIP_TSS_ROOM)

    /// Lets the library parse bytes, all of which must be used.
    init(
        _ bytes: borrowing some ByteSource & ~Copyable,
        _ unmarshal: Unmarshal
    ) throws(TPMError) {
        unsafe memory = .allocate(byteCount: Self.room, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.room)
        var used = 0
        let target = unsafe memory
        let code = bytes.withBytes { span in
            unsafe span.withUnsafeBytes { source in
                guard let base = source.baseAddress else { return UInt32(TPMCode.value) }
                return unsafe unmarshal(base.assumingMemoryBound(to: UInt8.self), source.count, &used, target)
            }
        }
        guard code == 0, used == bytes.count else {
            unsafe explicit_bzero(memory, Self.room)
            unsafe memory.deallocate()
            throw .failed(code: code)
        }
    }

    deinit {
        unsafe explicit_bzero(memory, Self.room)
        unsafe memory.deallocate()
    }
}

extension TPM {
    typealias Marshal =
        @convention(c) (
            UnsafeRawPointer, UnsafeMutablePointer<UInt8>, Int, UnsafeMutablePointer<Int>
        ) -> UInt32

    /// Returns the bytes on the wire of a structure from the library, and frees the structure.
    func take(_ structure: UnsafeMutableRawPointer?, _ marshal: Marshal) throws(TPMError) -> [UInt8] {
        guard let structure = unsafe structure else { throw .failed(code: 0) }
        defer { unsafe calls.Esys_Free(structure) }
        var used = 0
        var code: UInt32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(HSIP_TSS_ROOM)) { buffer, count in
            if let base = buffer.baseAddress { code = unsafe marshal(structure, base, buffer.count, &used) }
            count = code == 0 ? used : 0
        }
        guard code == 0 else { throw .failed(code: code) }
        return bytes
    }

    /// Returns the content of a sized buffer from the library in locked memory; the buffer is wiped and freed.
    func takeSecret(_ structure: UnsafeMutableRawPointer?, _ marshal: Marshal) throws(TPMError) -> SecretBytes
    {
        guard let structure = unsafe structure else { throw .failed(code: 0) }
        // Every such structure begins with its size.
        let size = Int(unsafe structure.load(as: UInt16.self))
        defer {
            unsafe explicit_bzero(structure, 2 + size)
            unsafe calls.Esys_Free(structure)
        }
        do throws(CryptoError) {
            var whole = try SecretBytes(count: size + 2)
            var used = 0
            let code = whole.withMutableBytes { target in
                unsafe target.withUnsafeMutableBytes { target -> UInt32 in
                    guard let base = target.baseAddress else { return TPMCode.value }
                    return unsafe marshal(
                        structure,
                        base.assumingMemoryBound(to: UInt8.self),
                        target.count,
                        &used
                    )
                }
            }
            guard code == 0, used == size + 2 else { throw .wrongSize(expected: size + 2, found: used) }
            return try whole.slice(2..<used)
        } catch .outOfMemory {
            throw .outOfMemory
        } catch {
            throw .failed(code: 0)
        }
    }
}

/// Reads numbers as a TPM writes them: most significant byte first.
struct TPMReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next number; nil if too few bytes remain.
    mutating func number<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        let size = T.bitWidth / 8
        guard rest.count >= size else { return nil }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size).reduce(0) { $0 << 8 | T($1) }
    }

    /// The next bytes, after their length in 16 bits; nil if too few bytes remain.
    mutating func sized() -> [UInt8]? {
        guard let size = number(UInt16.self), rest.count >= size else { return nil }
        defer { rest = rest.dropFirst(Int(size)) }
        return Array(rest.prefix(Int(size)))
    }
}

extension [UInt8] {
    /// Appends a number, most significant byte first.
    mutating func append(wire number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Numbers of 16 bits, one after the other, which most parts of a template are.
    static func wire(_ numbers: UInt16...) -> [UInt8] {
        numbers.reduce(into: []) { $0.append(wire: $1) }
    }

    /// These bytes after their length in 16 bits.
    var sized: [UInt8] { .wire(UInt16(truncatingIfNeeded: count)) + self }
}

extension TPMError {
    /// The code without the bits that name a parameter (TPM 2.0 part 2, section 6.6).
    static func plain(_ code: UInt32) -> UInt32 {
        // A code above 16 bits comes from a layer of the library, not from the TPM.
        guard code >> 16 == 0 else { return code }
        return code & (code & 0x80 != 0 ? 0xBF : 0xFFF)
    }
}

/// Codes of a TPM, without the bits that name a parameter (TPM 2.0 part 2, section 6.6.3).
enum TPMCode {
    static let authFail: UInt32 = 0x08E
    static let handle: UInt32 = 0x08B
    static let value: UInt32 = 0x084
    static let policyFail: UInt32 = 0x09D
    static let integrity: UInt32 = 0x09F
    static let badAuth: UInt32 = 0x0A2
    static let lockout: UInt32 = 0x921
    /// The TPM has no memory for an object or a session, was interrupted, spares its flash, or asks for a retry.
    static let transient: Set<UInt32> = [0x902, 0x903, 0x908, 0x920, 0x922]
}
