internal import Console
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SafeText
internal import SecretServiceStore
package import SystemSetup
internal import VaultLifecycle

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
            return [.fine(.provider, "the vault keeps the secrets of other programs")] + found
        } catch {
            return [.problem(.provider, Failures.explain(error))]
        }
    }

    /// A vault that would wait for itself.
    private func circle() -> Finding? {
        let isInKeyring = context.record?.backend == .secretService
        let slots = isInKeyring ? [] : (try? FileStore.glance(at: context.place.paths))?.slots ?? []
        guard isInKeyring || slots.contains(.secretService) else { return nil }
        return Finding(
            check: .provider,
            state: .warning,
            message: isInKeyring
                ? "the vault is in the keyring, and is set up to serve as the keyring"
                : "the vault has a key slot in the keyring that it serves as itself",
            reason: "hsip never asks itself: what lies there does not open the vault",
            hint: isInKeyring ? "hsip vault migrate --to file" : "hsip vault slot rm keyring"
        )
    }

    private func files() throws(Failure) -> Finding? {
        guard try !setup.isActive() else { return nil }
        return Finding(
            check: .provider,
            state: .warning,
            message: "hsip setup keyring was interrupted, or its files have changed",
            reason: "after the next login another program may keep the secrets of programs",
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
                message: "\(context.display.name(holder.name)) keeps the secrets of programs in this session",
                reason: "it was started before, or by other means than the files that hsip knows",
                hint: "hsip setup keyring"
            )
        }
        guard !holder.isReplaced else { return outdated }
        guard try !bus.namesDescriptors() else { return nil }
        return Finding(
            check: .provider,
            state: .notice,
            message: "this session bus names programs by their numbers, not by descriptors",
            reason: "hsip compares when a process began, so a number that is used again is noticed"
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
            reason: "programs would get that one in place of the vault",
            hint: "hsip setup keyring"
        )
    }

    private var outdated: Finding {
        let environment = context.environment
        return Finding(
            check: .provider,
            state: .warning,
            message: "the running hsip-secrets was started before an update",
            reason: "it lacks what the update fixed",
            hint: "hsip doctor --fix",
            fix: Finding.Fix(question: "End it? The next program that needs it starts the new one") {
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
            message: "sandboxed apps get their keys from \(context.display.name(other)), by portals.conf",
            reason: "what they store is not in the vault",
            hint: "hsip setup keyring --portal"
        )
    }
}
