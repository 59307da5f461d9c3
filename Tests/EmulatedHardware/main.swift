import CEmulatorLink
import Glibc
import Hardware

// hsip-hardware with a TPM and security keys in software: their sockets are called `socket`, and `key-` with a name of one
// letter, beside the name that this program was started by.
let folder = CommandLine.arguments[0].split(separator: "/").dropLast().map { "/\($0)" }.joined()
let room = 1 << 20
nonisolated(unsafe) let tap = UnsafeMutablePointer<hsip_tap>.allocate(capacity: 1)
unsafe tap.initialize(
    to: hsip_tap(
        bytes: UnsafeMutablePointer<UInt8>.allocate(capacity: room),
        count: 0,
        room: room,
        commands: 0,
        lost_at: 0,
        answered_at: 0,
        answer: 0,
        answers: 0
    )
)
let transport = unsafe TPMTransport { () throws(TPMTransport.Failure) in
    { context, size in unsafe hsip_link_start(context, size, folder + "/socket", tap) }
}
let ports = unsafe KeyPorts(
    list: {
        "abcd".compactMap { name in
            let socket = "\(folder)/key-\(name)"
            guard unsafe access(socket, F_OK) == 0 else { return nil }
            // Each process finds it at the same path.
            return KeyPort(path: "0x0 \(socket)", product: "Key \(name)", maker: "Test")
        }
    },
    prepare: { device in unsafe hsip_key_prepare(UnsafeMutableRawPointer(device)) }
)
exit(HardwareHelper.run(transport, ports))
