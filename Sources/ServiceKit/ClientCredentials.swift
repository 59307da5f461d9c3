internal import AgentProtocol
internal import Glibc
internal import MessageBus
internal import VaultCrypto

/// Who a client is, as the bus saw it when it connected.
enum ClientCredentials {
    /// Bytes in the longest name of the kernel's security module that is read.
    private static let longestSecurityLabel = 255

    /// Reads an answer of `GetConnectionCredentials`; nil without a process, or of another user.
    static func behalf(_ answer: BusMessage, of name: String) -> Behalf? {
        guard !answer.isError, answer.enter("a", "{sv}") else { return nil }
        var pid: UInt32?
        var uid: UInt32?
        var label: String?
        var descriptor: Int32?
        defer { if let descriptor { close(descriptor) } }
        while answer.enter("e", "sv") {
            switch (answer.text(), answer.nextVariant) {
            case ("ProcessID"?, "u"?): pid = within(answer, "u") { answer.number() }
            case ("UnixUserID"?, "u"?): uid = within(answer, "u") { answer.number() }
            case ("LinuxSecurityLabel"?, "ay"?): label = within(answer, "ay") { text(answer) }
            case ("ProcessFD"?, "h"?) where descriptor == nil:
                descriptor = within(answer, "h") { answer.descriptor() }
            default: answer.skip("v")
            }
            answer.leave()
        }
        answer.leave()
        guard let pid, let process = Int32(exactly: pid), uid == geteuid() else { return nil }
        // Newer buses give one: then the number is known to be that of the process that connected.
        guard let descriptor else { return Behalf(bus: name, process: process, label: label) }
        return Behalf(bus: name, process: process, descriptor: descriptor, label: label)
    }

    private static func within<R>(_ answer: BusMessage, _ type: String, _ read: () -> R?) -> R? {
        guard answer.enter("v", type) else { return nil }
        defer { answer.leave() }
        return read()
    }

    /// The bytes up to the zero that ends them.
    private static func text(_ answer: BusMessage) -> String? {
        let bytes = answer.bytes { span in span.byteCount <= longestSecurityLabel + 1 ? span.copied() : [] }
        return bytes.flatMap { String(validating: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
