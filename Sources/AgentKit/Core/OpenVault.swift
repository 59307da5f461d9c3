internal import Dispatch
internal import Files
package import RecordStore
internal import Synchronization
package import VaultKit

/// An open vault: the actor, and the functions that close it.
package final class OpenVault: Sendable {
    package let vault: Vault
    /// 16 bytes, public.
    package let vaultID: [UInt8]
    /// `file` or `secret-service`.
    package let backend: String
    /// Whether the vault has a secret of its own.
    ///
    /// A keyring opens with any input, so its opening proves nothing.
    var takesSecret: Bool { backend != "secret-service" }
    private let closing: @Sendable () -> Void
    private let counting: @Sendable () throws(StoreError) -> UInt64
    private let file: String?
    private let identity: FileFacts.Identity?
    private let users = DispatchGroup()
    private let rootReturns: @Sendable () -> Int
    private let told = Mutex(0)

    /// Creates an open vault.
    ///
    /// - Parameters:
    /// - vault: the actor over the open store.
    /// - vaultID: 16 bytes, public.
    /// - backend: `file` or `secret-service`.
    /// - file: the vault's file, if it has one.
    /// - rootReturns: the number of times that the root of a vault in the keyring was restored from its copy.
    /// - generation: reads the number of the newest commit from the store.
    /// - close: wipes the keys, as `FileStore.lock` does.
    package init(
        _ vault: Vault,
        vaultID: [UInt8],
        backend: String,
        file: String? = nil,
        rootReturns: @escaping @Sendable () -> Int = { 0 },
        generation: @escaping @Sendable () throws(StoreError) -> UInt64,
        close: @escaping @Sendable () -> Void
    ) {
        self.vault = vault
        self.vaultID = vaultID
        self.backend = backend
        self.file = file
        identity = file.flatMap { FileFacts(at: $0)?.identity }
        self.rootReturns = rootReturns
        counting = generation
        closing = close
    }

    /// Creates an open vault over an open store.
    package convenience init(
        store: any Store,
        backend: String,
        file: String? = nil,
        auditFolder: String? = nil,
        rootReturns: @escaping @Sendable () -> Int = { 0 },
        close: @escaping @Sendable () -> Void
    ) {
        self.init(
            Vault(store: store, auditFolder: auditFolder),
            vaultID: store.vaultID,
            backend: backend,
            file: file,
            rootReturns: rootReturns,
            generation: { () throws(StoreError) in
                try store.read { (reader) throws(StoreError) in reader.generation }
            },
            close: close
        )
    }

    /// Returns the number of the newest commit.
    ///
    /// A different number than before means that this or another process changed the vault.
    ///
    /// - Throws: `locked` after closing; the error of a vault that was replaced or damaged.
    package func generation() throws(StoreError) -> UInt64 { try counting() }

    /// Whether the root was restored from its copy since the last call.
    func takeRootReturn() -> Bool {
        let count = rootReturns()
        return told.withLock { told in
            defer { told = count }
            return count > told
        }
    }

    /// Whether the file at its path is still the opened file.
    package var isInPlace: Bool { file.map { FileFacts(at: $0)?.identity == identity } ?? true }

    /// Runs `body` as a use of the vault; closing waits for its end.
    package func use<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        users.enter()
        defer { users.leave() }
        return try body()
    }

    /// Wipes the keys and refuses all further calls.
    func close() { closing() }

    /// Waits for the end of running uses, which still have the keys.
    ///
    /// - Returns: false if they did not end within the given seconds.
    func waitForUsers(seconds: Int) -> Bool {
        users.wait(timeout: .now() + .seconds(seconds)) == .success
    }
}
