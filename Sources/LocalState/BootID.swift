internal import Files
internal import Glibc
internal import VaultCrypto

/// The name that the kernel gave to the present run of the system.
enum BootID {
    /// 16 bytes; zeros where the kernel does not tell.
    static let current: [UInt8] = read() ?? Array(repeating: 0, count: 16)

    private static func read() -> [UInt8]? {
        let file = try? SecureFile<SystemFailure>("/proc/sys/kernel/random/boot_id", O_RDONLY)
        let digits = (try? file?.read(upTo: 64))?.filter { $0 != 0x2D && $0 != 0x0A } ?? []
        return Hex.decode(String(decoding: digits, as: UTF8.self)).flatMap { $0.count == 16 ? $0 : nil }
    }
}
