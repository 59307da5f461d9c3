internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
package import System
internal import Text
package import VaultLifecycle

/// Whether the vault serves other programs, where it was set up for that.
package struct ProviderChecks {
    private let context: CheckContext
    private let setup: ProviderSetup

    package init(_ context: CheckContext, _ setup: ProviderSetup) {
        (self.context, self.setup) = (context, setup)
    }

    /// Nothing where it was not set up.
    package func findings() -> [Finding] {
        do {
            guard let record = try setup.record(), record.vault == context.place.key else { return [] }
            let found = [circle(), try files(), try holder(), portal()].compactMap(\.self)
            guard found.allSatisfy({ $0.state == .notice }) else { return found }
            return [.fine(.provider, "the vault is the keyring for other programs")] + found
        } catch {
            return [.problem(.provider, Failure(error))]
        }
    }

    /// A vault that would wait for itself.
    private func circle() -> Finding? {
        let isInKeyring = context.record?.backend == .secretService
        let overview = isInKeyring ? nil : try? FileStore.overview(at: context.place.paths)
        guard isInKeyring || overview?.has(.secretService) == true else { return nil }
        return Finding(
            check: .provider,
            state: .warning,
            message: isInKeyring
                ? "the vault is in the keyring, but is also set up to serve as the keyring"
                : "the vault has a key slot in the keyring that the vault itself serves",
            reason: "hsip never asks itself, so nothing in that keyring opens the vault",
            hint: isInKeyring ? "hsip vault migrate --to file" : "hsip vault slot rm keyring"
        )
    }

    private func files() throws(Failure) -> Finding? {
        guard try !setup.isActive() else { return nil }
        return Finding(
            check: .provider,
            state: .warning,
            message: "hsip setup keyring was interrupted, or its files were changed",
            reason: "after the next login another program may serve as the keyring",
            hint: "hsip setup keyring"
        )
    }

    /// Who owns the name on the bus, or what the bus would start.
    private func holder() throws -> Finding? {
        // A login without a bus, as over SSH, has no programs to serve.
        guard let bus = try? SessionBus(environment: context.environment.busVariables) else { return nil }
        guard let process = try bus.holder() else { return activation() }
        let holder = NameHolder(process)
        guard holder.isOwn else {
            return Finding(
                check: .provider,
                state: .warning,
                message: "\(context.display.name(holder.name)) serves as the keyring in this session",
                reason: "that program started earlier, or not by the files that hsip knows",
                hint: "hsip setup keyring"
            )
        }
        guard !holder.isReplaced else { return outdated }
        guard try !bus.namesDescriptors() else { return nil }
        return Finding(
            check: .provider,
            state: .notice,
            message: "this session bus identifies programs by process number, not by descriptor",
            reason: "hsip also compares the start time of a process, so it notices a reused number"
        )
    }

    private func activation() -> Finding? {
        let name = ProviderFiles.busName
        guard let file = setup.files.places.activation(of: name), !setup.files.isOwnActivation(file) else {
            return nil
        }
        return Finding(
            check: .provider,
            state: .warning,
            message: "the session bus starts another program for \(name), by \(context.display.name(file))",
            reason: "programs would use that program instead of the vault",
            hint: "hsip setup keyring"
        )
    }

    private var outdated: Finding {
        let environment = context.environment
        return Finding(
            check: .provider,
            state: .warning,
            message: "the running hsip-secrets was started before an update",
            reason: "the running program does not have the fixes of the update",
            hint: "hsip doctor --fix",
            fix: Finding.Fix(
                question: "End the old hsip-secrets? The next program that needs it starts the new one"
            ) {
                guard let process = try SessionBus(environment: environment.busVariables).holder() else {
                    return
                }
                let holder = NameHolder(process)
                guard holder.isOwn, holder.isReplaced else { return }
                _ = holder.end(seconds: 10)
            }
        )
    }

    /// Sandboxed apps ask another program for their key.
    private func portal() -> Finding? {
        guard let other = setup.files.otherPortal else { return nil }
        return Finding(
            check: .provider,
            state: .notice,
            message:
                "sandboxed apps get their keys from \(context.display.name(other)), as portals.conf says",
            reason: "the passwords of these apps are not in the vault",
            hint: "hsip setup keyring --portal"
        )
    }
}

/// Who keeps the secrets of other programs in this session.
package enum ProviderState: String {
    /// The vault: hsip-secrets answers, or the bus starts it at the first call.
    case serving
    /// The vault does not, though `hsip setup keyring` was used: another vault or another program does.
    case elsewhere
    /// `hsip setup keyring` was not used, or this session has no bus.
    case off

    /// How it is for a vault; nothing is started for that, and without a setup no bus is asked.
    package static func find(_ place: VaultPlace, _ environment: Environment) -> ProviderState {
        guard let record = (try? ProviderSetup.record(place)) ?? nil else { return .off }
        guard record.vault == place.key else { return .elsewhere }
        do throws(StoreError) {
            guard let process = try SessionBus(environment: environment.busVariables).holder() else {
                return record.isTried ? .serving : .off
            }
            return NameHolder(process).isOwn ? .serving : .elsewhere
        } catch {
            return .off
        }
    }
}
