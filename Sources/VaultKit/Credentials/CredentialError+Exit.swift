public import Credentials

extension CredentialError {
    /// The exit code (Schemas/errors.json).
    public var exitCode: Int32 {
        switch self {
        case .unknownName, .inTrash, .unknownField, .unknownSecretVersion: 3
        case .nameTaken, .kindDiffers, .changedMeanwhile: 4
        case .outOfMemory: 12
        case .unresolved(_, let reason): reason.exitCode
        default: 13
        }
    }

    /// The name in the table of errors, as the JSON output spells it.
    public var name: String {
        switch self {
        case .malformed: "malformedSecret"
        case .unsupportedVersion: "unsupportedVersion"
        case .badName: "badSecretName"
        case .badField: "badFieldName"
        case .badTag: "badTag"
        case .badOrigin: "badOrigin"
        case .badTime: "badTime"
        case .valueTooLong: "valueTooLong"
        case .versionTooLong: "secretTooLong"
        case .tooManyFields: "tooManyFields"
        case .tooManyTags: "tooManyTags"
        case .tooMuch: "tooMuch"
        case .noFields: "noFields"
        case .unknownName: "unknownSecret"
        case .inTrash: "secretInTrash"
        case .nameTaken: "secretNameTaken"
        case .unknownField: "unknownField"
        case .unknownSecretVersion: "unknownSecretVersion"
        case .kindDiffers: "secretTypeDiffers"
        case .changedMeanwhile: "secretChanged"
        case .unresolved(_, let reason): reason.name
        case .outOfMemory: "outOfMemory"
        }
    }
}
