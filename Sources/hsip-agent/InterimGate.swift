internal import AgentKit
internal import AgentProtocol
internal import VaultKit
internal import VaultPolicy

/// Lets this user's programs do what the vault's owner may: until the policy decides.
struct InterimGate: CallGate, SSHGate {
    func permit(
        _ call: VaultCall,
        _ touch: Touch,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) {}

    func permits(_ act: Act, for connection: Connection, until interest: Cancellation) -> Bool { true }

    func noteRefusal(of host: HostFacts, for connection: Connection) {}
}
