internal import VaultCrypto

extension Book {
    /// Opens a message and takes the one code it carries; if either is refused, neither has happened.
    ///
    /// A message that was read before is opened again: its code may not have been taken yet.
    mutating func takeInside(
        _ envelope: MessageEnvelope,
        _ request: TakeRequest,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        let read = try read(envelope, ReadRequest(from: request.contact, isReread: true), at: moment)
        guard case .opened(let opened) = read.result else { throw .noCode }
        let text = opened.plaintext.withBytes { $0.copied() }
        let code = try CodeText.single(in: text) { isOwn($0) }
        // A code of somebody else may be forwarded in a message: the code itself says whose it is. What came
        // in a message was not read from anybody's own screen, whatever the user says.
        var asked = request
        asked.isInPerson = false
        var outcome = try take(code, asked, at: moment, entropy: entropy)
        outcome.notices += read.notices.filter { if case .carries = $0 { false } else { true } }
        return outcome
    }
}
