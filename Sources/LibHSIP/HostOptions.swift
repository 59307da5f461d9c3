internal import AgentProtocol
internal import CHSIP
internal import Text
internal import VaultCrypto

/// The options of `hsip_open`, as far as the caller's program knows them.
struct HostOptions: Sendable {
    /// The time limit of a call by default.
    static let usualPatience = Duration.seconds(120)
    /// The longest name of a vault: a path.
    private static let longestVault = 4_095
    /// The longest name of a program.
    private static let longestProgram = 40

    var vault: String?
    var program: String?
    var ask: HostAsk?
    var patience = Self.usualPatience

    /// Makes the default options.
    init() {}

    /// Copies the options.
    ///
    /// - Throws: `usage` for a size that no version had, and for a program name with control characters; `malformed` for a
    ///   text that is too long or not UTF-8; `unavailable` if a newer program sets an option that this library does not have.
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

/// The function by which the host program asks its person, and its argument.
@safe struct HostAsk: Sendable {
    /// The longest secret, as in a passphrase file.
    private static let longest = 4_096

    private typealias Function =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int
        ) -> Int32

    private let function: UInt
    private let context: UInt

    /// Reads the function from the options; nil if the host program cannot ask.
    init?(_ ask: hsip_ask?, _ context: UnsafeMutableRawPointer?) {
        guard let ask = unsafe ask else { return nil }
        function = unsafe UInt(bitPattern: unsafeBitCast(ask, to: UnsafeRawPointer.self))
        self.context = UInt(bitPattern: context)
    }

    /// Asks, in the calling thread.
    func answer(_ question: Question) -> Answer {
        var lines = question.lines
        if question.attempt > 1 { lines.insert("That passphrase was wrong; try again.", at: 0) }
        let text = (lines + [question.title]).joined(separator: "\n")
        return switch question.kind {
        case .passphrase, .pin: secret(text)
        case .confirm: confirm(text)
        case .touch: .nobody
        }
    }

    private func confirm(_ text: String) -> Answer {
        let said = unsafe call(text, nil, 0)
        return said < 0 ? .nobody : said == 1 ? .yes(remember: nil) : .no
    }

    private func secret(_ text: String) -> Answer {
        guard var typed = try? SecretBytes(count: Self.longest) else { return .nobody }
        let count = typed.withMutableBytes { span in
            unsafe span.withUnsafeMutableBytes { buffer in
                unsafe call(text, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
            }
        }
        guard count >= 0 else { return .nobody }
        guard count > 0, count <= Self.longest, let secret = try? typed.slice(0..<Int(count)) else {
            return .no
        }
        return .passphrase(Secret(secret))
    }

    private func call(_ text: String, _ answer: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int32 {
        guard let address = unsafe UnsafeRawPointer(bitPattern: function) else { return -1 }
        let ask = unsafe unsafeBitCast(address, to: Function.self)
        return unsafe ask(UnsafeMutableRawPointer(bitPattern: context), text, answer, capacity)
    }
}
