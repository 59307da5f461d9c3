internal import Glibc
internal import VaultCrypto

/// Texts that end with a zero byte, from malloc, for the calls of older programs.
enum OutputText {
    /// A copy for the caller; nil without memory.
    static func copy(_ text: borrowing some ByteSource & ~Copyable) -> UnsafeMutablePointer<CChar>? {
        let count = text.count
        guard let memory = unsafe malloc(count + 1) else { return nil }
        text.withBytes { span in
            unsafe span.withUnsafeBytes { source in
                if let start = source.baseAddress { unsafe memcpy(memory, start, count) }
            }
        }
        let text = unsafe memory.assumingMemoryBound(to: CChar.self)
        unsafe text[count] = 0
        return unsafe text
    }

    /// Wipes and frees.
    static func take(back text: UnsafeMutablePointer<CChar>) {
        unsafe UnsafeMutableRawBufferPointer(start: text, count: strlen(text)).wipe()
        unsafe free(text)
    }
}
