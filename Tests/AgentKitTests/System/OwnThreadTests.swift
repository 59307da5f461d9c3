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
}
