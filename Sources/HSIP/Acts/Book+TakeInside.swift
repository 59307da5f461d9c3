internal import VaultCrypto

extension Book {
    /// Opens a message and takes the one code it carries; if either is refused, neither has happened.
    ///
    /// A message that was read before is opened again: its code may not have been taken yet. The header says whose
    /// message it is, as a code may be forwarded; the contact that is named only where the header names no one.
    mutating func takeInside(
        _ envelope: MessageEnvelope,
        _ request: TakeRequest,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        let unread = self
        let writer = contacts[envelope.sender] == nil ? request.contact : nil
        let read = try read(envelope, ReadRequest(from: writer, isReread: true), at: moment)
        guard case .opened(let opened) = read.product else { throw .noCode }
        var text = opened.plaintext.withBytes { $0.copied() }
        defer { text.wipe() }
        let code = try meant(by: request, in: text)
        // A code of another person may be forwarded in a message: the code itself says whose it is. What came
        // in a message was not read from anybody's own screen, whatever the user says.
        var asked = request
        asked.isInPerson = false
        var outcome = try take(code, asked, at: moment, entropy: entropy)
        if outcome.refusal != nil {
            // The mark that such a refusal writes is all that happened: the message stays unread.
            self = unread
            return try take(code, asked, at: moment, entropy: entropy)
        }
        outcome.notices += read.notices.filter { if case .carries = $0 { false } else { true } }
        return outcome
    }

    /// The code that was chosen, if it is there; else the only one.
    private func meant(by request: TakeRequest, in text: [UInt8]) throws(HSIPError) -> ExchangeCode {
        guard let chosen = request.chosen else { return try CodeText.single(in: text) { isOwn($0) } }
        guard try CodeText.candidates(in: text, isOwn: { isOwn($0) }).contains(chosen) else { throw .noCode }
        return chosen
    }
}
