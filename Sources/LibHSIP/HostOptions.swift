internal import CHSIP
internal import SafeText
internal import VaultCrypto

/// The options of `hsip_open`, as far as the caller's program knows them.
struct HostOptions: Sendable {
    /// How long a call waits when nothing is said.
    static let usualPatience = Duration.seconds(120)
    /// The longest name of a vault: a path.
    private static let longestVault = 4_095
    /// The longest name of a program.
    private static let longestProgram = 40

    var vault: String?
    var program: String?
    var ask: HostAsk?
    var patience = Self.usualPatience

    /// The usual ones.
    init() {}

    /// Copies them.
    ///
    /// - Throws: `usage` for a size that no version had, and for a program's name that is none; `unavailable`
    ///   where a newer program sets what is not known here.
    init(_ pointer: UnsafePointer<hsip_options>?) throws(LibraryError) {
        guard let pointer = unsafe pointer else { return }
        let size = unsafe Int(pointer.pointee.size)
        let known = unsafe MemoryLayout<hsip_options>.size
        guard size >= known, size <= 4_096 else { throw .usage }
        let whole = unsafe UnsafeRawBufferPointer(start: pointer, count: size)
        guard unsafe whole.dropFirst(known).allSatisfy({ $0 == 0 }) else { throw .unavailable }
        let options = unsafe pointer.pointee
        vault = try unsafe CText.optional(options.vault, longest: Self.longestVault)
        program = try unsafe CText.optional(options.program, longest: Self.longestProgram)
        guard program?.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) ?? true else {
            throw .usage
        }
        ask = unsafe HostAsk(options.ask, options.ctx)
        let milliseconds = unsafe Int64(options.timeout_ms)
        if milliseconds > 0 { patience = .milliseconds(milliseconds) }
    }
}
