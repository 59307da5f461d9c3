import Glibc
import System
import Testing

@testable import AgentKit

struct ControllingTerminalTests {
    @Test(arguments: [
        (UInt64(34_816), "/dev/pts/0"), (34_819, "/dev/pts/3"), (1_083_392, "/dev/pts/256"),
        (1_025, "/dev/tty1"),
        (1_088, "/dev/ttyS0"), (58_624, "/dev/hvc0"), (0, nil), (259, nil),
    ])
    func `a device of a terminal has its usual path`(device: UInt64, path: String?) {
        #expect(ControllingTerminal.path(of: device) == path)
    }

    @Test func `a process without a terminal has none, and one that is not there neither`() {
        #expect(ControllingTerminal(of: 0) == nil)
        #expect(ControllingTerminal(of: -1) == nil)
        #expect(ControllingTerminal(of: 2_147_483_647) == nil)
    }
}
