internal import AgentKit
internal import Glibc
internal import System

/// Starts the agent where none listens, as `hsip agent start` does; a service manager's socket starts it by itself.
struct AgentLaunch: Sendable {
    /// The key of the vault that it serves.
    let vault: String

    /// The agent's program: the one beside this one, which is the only one that takes this one for its front.
    private var program: String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count,
            let path = String(validating: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self),
            let slash = path.lastIndex(of: "/")
        else { return nil }
        return path[..<slash] + "/hsip-agent"
    }

    /// Starts it and waits until it listens, or has ended because another one does.
    ///
    /// - Returns: whether it is worth to connect again.
    func start() -> Bool {
        guard let program, unsafe access(program, X_OK) == 0,
            let agent = try? AgentSpawn(program, vault: vault, .process)
        else { return false }
        // It goes on by itself; how it ends once is taken note of.
        try? OwnThread.start("agent") { agent.waitForEnd() }
        return true
    }
}
