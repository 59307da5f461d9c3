internal import CLinux
internal import Console
internal import Glibc
internal import Programs
internal import VaultCrypto

/// A file that is only in memory, for one program to read and nobody to change.
enum MemoryFile {
    /// Makes one, which stays open for the program that is started next.
    ///
    /// - Returns: its path, as that program sees it.
    static func make(_ value: Secret) throws(ConsoleError) -> String {
        let number = hsip_memory_file()
        guard number >= 0 else { throw .io(code: errno) }
        try Descriptor(number).write(value)
        guard hsip_seal_memory_file(number) == 0 else { throw .io(code: errno) }
        return "/proc/self/fd/\(number)"
    }
}
