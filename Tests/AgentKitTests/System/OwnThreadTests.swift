import Dispatch
import Glibc
import Synchronization
import Testing

@testable import AgentKit

@Suite struct OwnThreadTests {
    /// Which thread this is; the kernel uses no number again soon.
    private static func thread() -> String {
        var name = [CChar](repeating: 0, count: 64)
        let count = unsafe readlink("/proc/thread-self", &name, name.count)
        return String(decoding: name[..<max(count, 0)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func number() async -> String {
        await onOwnThread {
            Self.thread()
        } while: {
        }
    }

    @Test func `a thread that is done takes more`() async {
        var seen: Set<String> = []
        var isUsedAgain = false
        // Other tests take threads too; sooner or later one of ours comes back.
        for _ in 0..<10_000 where !isUsedAgain {
            isUsedAgain = !seen.insert(await number()).inserted
        }
        #expect(isUsedAgain)
    }

    private final class Meeting: Sendable {
        private let missing: Mutex<Int>
        private let isTogether = DispatchSemaphore(value: 0)
        private let size: Int

        init(_ size: Int) {
            self.size = size
            missing = Mutex(size)
        }

        /// Returns when everyone has come.
        func come() {
            let isLast = missing.withLock { missing in
                missing -= 1
                return missing == 0
            }
            if isLast { for _ in 0..<size { isTogether.signal() } }
            isTogether.wait()
        }
    }

    @Test func `threads that wait for each other are all there`() async {
        let meeting = Meeting(32)
        let count = await withTaskGroup(of: Void.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    await onOwnThread {
                        meeting.come()
                    } while: {
                    }
                }
            }
            return await group.reduce(0) { count, _ in count + 1 }
        }
        #expect(count == 32)
    }

    private actor Counter {
        private(set) var count = 0

        /// Leaves the actor in between, as a call of a vault may.
        func add(_ more: Counter?) async {
            count += 1
            await more?.add(nil)
            count += 1
        }
    }

    @Test func `threads that wait for the same actor all get their turn`() async throws {
        let (first, second) = (Counter(), Counter())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    await onOwnThread {
                        for _ in 0..<500 { Blocking.wait { await first.add(second) } }
                    } while: {
                    }
                }
                // Tasks that no thread waits for are not left behind either.
                group.addTask { for _ in 0..<500 { await first.add(second) } }
            }
        }
        #expect(await first.count == 2 * 16 * 500 * 2)
        #expect(await second.count == 2 * 16 * 500 * 2)
    }

    @Test func `a task that is waited for runs on the thread that waits`() async {
        let (thread, task) = await onOwnThread {
            (Self.thread(), Blocking.wait { Self.thread() })
        } while: {
        }
        #expect(thread == task && !thread.isEmpty)
    }

    private static let mark: UInt8 = 0xA7

    /// Fills about so many KiB of stack below the caller, and gives their lowest address.
    @inline(never)
    private static func paint(_ size: Int) -> UInt {
        unsafe withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { room in
            _ = unsafe room.initializeMemory(as: UInt8.self, repeating: mark)
            return size > 1 ? paint(size - 1) : UInt(bitPattern: room.baseAddress)
        }
    }

    /// How many marks there are from an address up to this frame.
    @inline(never)
    private static func marks(from low: UInt) -> Int {
        var here: UInt8 = 0
        let high = unsafe withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
        return (low..<high).reduce(0) { count, address in
            unsafe count + (UnsafePointer<UInt8>(bitPattern: address)?.pointee == mark ? 1 : 0)
        }
    }

    @Test(arguments: [2, 30, 58, 60, 62, 64, 66, 200])
    func `what ran on a thread is gone from its stack`(size: Int) async {
        let (before, after) = await onOwnThread {
            let low = Self.paint(size)
            let before = Self.marks(from: low)
            OwnThread.forget()
            return (before, Self.marks(from: low))
        } while: {
        }
        // On the way back up something of it is written over.
        #expect(before > size * 100)
        // The frames of the test itself lie over the uppermost part.
        #expect(after < 300)
    }
}
