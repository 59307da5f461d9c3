internal import AgentProtocol
internal import CHSIP
internal import VaultCrypto

/// The function by which the host program asks its person, and what is handed to it.
@safe struct HostAsk: Sendable {
    /// The longest secret that is taken, as from a passphrase file.
    private static let longest = 4_096

    private typealias Function =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int
        ) -> Int32

    private let function: UInt
    private let context: UInt

    /// From the options; nil where the host asks no one.
    init?(_ ask: hsip_ask?, _ context: UnsafeMutableRawPointer?) {
        guard let ask = unsafe ask else { return nil }
        function = unsafe UInt(bitPattern: unsafeBitCast(ask, to: UnsafeRawPointer.self))
        self.context = UInt(bitPattern: context)
    }

    /// Asks, in the thread that calls.
    func answer(_ question: Question) -> Answer {
        var lines = question.lines
        if question.attempt > 1 { lines.insert("That passphrase was wrong; try again.", at: 0) }
        let text = (lines + [question.title]).joined(separator: "\n")
        return switch question.kind {
        case .passphrase: secret(text)
        case .confirm: confirm(text)
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
