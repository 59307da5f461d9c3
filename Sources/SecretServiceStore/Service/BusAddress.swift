internal import Files
internal import Glibc
internal import RecordStore

/// Where the session bus is.
///
/// Looked for before GLib is: GLib would start a bus of its own where there is none, and a vault on a bus that
/// no other program knows is worse than an error.
enum BusAddress {
    /// The address in D-Bus notation.
    ///
    /// - Throws: `noSessionBus`.
    static func find(in environment: [String: String]) throws(StoreError) -> String {
        let given = environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        let usable = given.split(separator: ";").filter { !$0.hasPrefix("autolaunch:") }
        if !usable.isEmpty { return usable.joined(separator: ";") }
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else {
            throw .noSessionBus
        }
        let socket = runtime + "/bus"
        guard FileFacts(at: socket, followsLinks: true)?.isSocket == true else { throw .noSessionBus }
        return "unix:path=" + escape(socket)
    }

    /// Everything but the characters that an address may hold as they are becomes `%` and two digits.
    private static func escape(_ text: String) -> String {
        let plain = Set("-0123456789_/.\\*abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let digits = Array("0123456789abcdef".utf8)
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if plain.contains(byte) {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
