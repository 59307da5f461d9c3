import CEmulatorLink
import Glibc
import Hardware

// hsip-hardware with a TPM in software: its socket is called `socket`, beside the name that this program was started by.
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
exit(HardwareHelper.run(transport))
