import CEmulatorLink
import Glibc
import Hardware
import RecordStore
import Support
import VaultCrypto

/// A security key in software (authenticator.py), and how many packets went to and from it.
@safe final class Authenticator: @unchecked Sendable {
    private let scratch: StoreScratch
    private let process: Spawned
    fileprivate let tap: UnsafeMutablePointer<hsip_key_tap>
    private let place: String

    /// Starts one; the same seed is the same key, and the options are JSON members beside it.
    init(seed: String = "01", _ options: String...) throws {
        scratch = try StoreScratch()
        unsafe tap = .allocate(capacity: 1)
        unsafe tap.initialize(to: hsip_key_tap(packets: 0, lost_at: 0, spoiled_at: 0, waits: 0))
        let socket = scratch.path + "/key"
        let script = String(#filePath.dropLast("Authenticator.swift".count)) + "authenticator.py"
        process = try Spawned(
            "/usr/bin/python3",
            [script, socket, "{" + (["\"seed\":\"\(seed)\""] + options).joined(separator: ",") + "}"],
            environment: ["PATH": "/usr/bin:/bin"],
            keepsErrors: false
        )
        var tries = 0
        while unsafe hsip_link_answers(socket) == 0, tries < 6_000 {
            tries += 1
            usleep(10_000)
        }
        place = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { [tap] room in
            guard let path = room.baseAddress else { return "" }
            unsafe hsip_key_path(tap, socket, path, room.count)
            return unsafe String(cString: path)
        }
    }

    deinit { unsafe tap.deallocate() }

    /// The key, opened.
    func open() throws(KeyError) -> SecurityKey {
        let port = KeyPort(path: place, product: "Key in software", maker: "Test")
        // An open key keeps its ports, and they this authenticator.
        let ports = unsafe KeyPorts(
            list: { [port] },
            prepare: { [self] device in
                withExtendedLifetime(self) { unsafe hsip_key_prepare(UnsafeMutableRawPointer(device)) }
            }
        )
        let keys = try SecurityKeys(ports)
        return try keys.open(keys.list()[0])
    }

    /// How many packets went either way since the last question.
    func packets() -> Int {
        defer { unsafe tap.pointee.packets = 0 }
        return unsafe Int(tap.pointee.packets)
    }

    /// Takes the key out at a packet from now on, counted from 1; 0 for never.
    func lose(at packet: Int) {
        unsafe tap.pointee = hsip_key_tap(packets: 0, lost_at: Int32(packet), spoiled_at: 0, waits: 0)
    }

    /// Spoils one packet that it sends.
    func spoil(_ packet: Int) {
        unsafe tap.pointee = hsip_key_tap(packets: 0, lost_at: 0, spoiled_at: Int32(packet), waits: 0)
    }
}

/// Enrols with a PIN or without.
func enrol(_ key: SecurityKey, pin: String? = nil, touchOnly: Bool = false) throws -> (FIDO2Params, [UInt8]) {
    let made = try key.enrol(touchOnly: touchOnly, pin: secret(pin), .system)
    return (made.params, made.secret.withBytes { $0.copied() })
}

/// The secret of a credential.
func open(_ credential: FIDO2Params, _ key: SecurityKey, pin: String? = nil) throws -> [UInt8] {
    try key.secret(of: credential, pin: secret(pin), .system).withBytes { $0.copied() }
}

private func secret(_ pin: String?) throws -> Secret? {
    try pin.map { try Secret(copying: Array($0.utf8)) }
}

extension Authenticator {
    /// Whether it said that it waits for a touch.
    var isWaiting: Bool { unsafe hsip_key_waits(tap) > 0 }
}
