public import HSIP

/// A ROTATE as a name.
public struct NameRotate: RotateFacts, Hashable {
    public let rotateName: RotateName
    public let terms: Terms

    public var parent: KeyName { rotateName.parent }
    public var epoch: UInt32 { parent.epoch + 1 }
    public var attempt: UInt16 { UInt16(rotateName.attempt) }
}

/// An ACCEPT as the name of the keys that it makes.
public struct NameAccept: AcceptFacts, Hashable {
    public let rotateName: RotateName
    /// Tells apart two answers to one ROTATE.
    public let copy: UInt8
    public let terms: Terms

    public var parent: KeyName { rotateName.parent }
    public var epoch: UInt32 { parent.epoch + 1 }
    /// The keys that it makes.
    public var key: KeyName { KeyName(rotateName, copy: copy) }
    /// Who made it: never the author of the ROTATE.
    public var author: Side { rotateName.author.other }
}
