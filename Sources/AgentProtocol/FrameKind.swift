/// What a frame of the control socket carries (Schemas/control.md section 2).
public enum FrameKind: UInt8, CaseIterable, Sendable {
    /// What the caller wants done; JSON.
    case request = 1
    /// How it was done; JSON.
    case reply
    /// Why it was not done; JSON.
    case error
    /// A question for the person at the caller's terminal; JSON.
    case question
    /// What the person said; JSON.
    case answer
    /// Something that the other side may want to know; JSON. The other side may ignore it.
    case event
    /// The caller no longer wants the request; no body.
    case cancel
    /// A secret: raw bytes, read straight into locked memory, sent before the frame that means them.
    case bytes
    /// The encoded arguments or result of a call: raw bytes without a secret, sent before the frame that means them.
    case data
}

extension FrameKind {
    /// The largest body in bytes.
    public var limit: Int {
        switch self {
        case .request, .reply, .error, .question, .answer, .event: FrameLimits.text
        case .cancel: 0
        case .bytes, .data: FrameLimits.bytes
        }
    }
}
