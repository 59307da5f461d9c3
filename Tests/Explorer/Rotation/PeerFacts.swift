internal import HSIP

/// What the promises ask of one side, read off its machine once.
package struct PeerFacts: Sendable {
    /// The current epoch.
    package let epoch: UInt32
    /// Its keys.
    package let key: KeyName
    /// The prepared keys.
    package let nextKey: KeyName?
    /// An ordinary message (not under the prepared epoch) may be sealed.
    package let maySeal: Bool
    /// Suite 01 came after suite 02.
    package let isLowered: Bool
    /// More was sealed under some key than its limit.
    package let isOverLimit: Bool
    /// One more ROTATE is within the bounds.
    package let hasAttemptLeft: Bool
    /// My own ROTATE that waits for its ACCEPT.
    package let waitsFor: RotateName?
    /// The keys that open messages, at most four; unused places hold the last one again.
    private let opens: (KeyName, KeyName, KeyName, KeyName)?

    init(_ peer: Peer, bounds: RotationBounds) {
        let rotation = peer.rotation
        epoch = rotation.current.number
        key = rotation.current.name
        nextKey = rotation.next?.epoch.name
        maySeal = rotation.current.maySeal(at: Machine.moment) && rotation.current.keys.canSend
        let first = bounds.programs.first
        isLowered = key.isLowered(from: first) || nextKey?.isLowered(from: first) == true
        isOverLimit = peer.sealed.values.contains { $0 > bounds.limit }
        hasAttemptLeft = Machine(bounds: bounds).mayStart(peer)
        waitsFor = rotation.out?.rotate.rotateName
        let keys = rotation.receiving.map(\.epoch.name)
        if let first = keys.first, let last = keys.last {
            opens = (
                first, keys.count > 1 ? keys[1] : last, keys.count > 2 ? keys[2] : last, last
            )
        } else {
            opens = nil
        }
    }

    /// A message under this key can be read now.
    package func opens(_ key: KeyName) -> Bool {
        guard let opens else { return false }
        return opens.0 == key || opens.1 == key || opens.2 == key || opens.3 == key
    }

    /// A message under this key can be read now, or as soon as the ACCEPT that I wait for arrives.
    package func willOpen(_ key: KeyName) -> Bool {
        if opens(key) { return true }
        guard let waitsFor else { return false }
        return waitsFor.parent == self.key && key.rotate == waitsFor
    }
}
