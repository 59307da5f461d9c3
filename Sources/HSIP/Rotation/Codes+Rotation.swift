extension RotateCode: RotateFacts {
    /// The `ref` it carries.
    public var parent: [UInt8] { ref }
    /// `rotateRef`: of this code, or of the one it answers.
    public var rotateName: [UInt8] { rotateRef }
    /// Those of its header.
    public var terms: Terms { header.terms }
}

extension AcceptCode: AcceptFacts {
    /// The `ref` it carries.
    public var parent: [UInt8] { ref }
    /// `rotateRef`: of this code, or of the one it answers.
    public var rotateName: [UInt8] { rotateRef }
    /// Those of its header.
    public var terms: Terms { header.terms }
}

extension CodeHeader {
    /// The header of a code with these terms.
    init(kind: CodeKind, terms: Terms, isFresh: Bool = false) throws(HSIPError) {
        try self.init(
            kind: kind,
            isFresh: isFresh,
            issued: terms.issued,
            ttlMinutes: terms.ttlMinutes,
            lifeHours: terms.lifeHours,
            limit: terms.limit
        )
    }

    /// What the code promises about its epoch.
    public var terms: Terms {
        Terms(issued: issued, ttlMinutes: ttlMinutes, lifeHours: lifeHours, limit: limit)
    }
}
