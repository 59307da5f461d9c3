/// The hardware of a slot.
public enum SlotDevice: Equatable, Sendable {
    /// Kind 17.
    case securityKey(FIDO2Params)
    /// Kind 16.
    case tpm(TPM2Params)

    /// Reads the parameters of a kind; nil for what no writer produces, and for other kinds.
    package init?(_ params: CarriedParams, _ kind: SlotKind) {
        switch kind {
        case .securityKey:
            guard let params = FIDO2Params(params) else { return nil }
            self = .securityKey(params)
        case .tpm:
            guard let params = TPM2Params(params) else { return nil }
            self = .tpm(params)
        default: return nil
        }
    }

    /// The parameters as they are stored; the carry is sealed later.
    package func carried(salt: [UInt8]) -> CarriedParams {
        switch self {
        case .securityKey(let params):
            CarriedParams(flags: params.flags, salt: salt, carry: [], rest: params.rest)
        case .tpm(let params): CarriedParams(flags: params.flags, salt: salt, carry: [], rest: params.rest)
        }
    }
}
