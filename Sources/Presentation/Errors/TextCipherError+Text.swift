package import Secrets

extension TextCipherError: Worded {
    package var words: Failure.Words {
        switch self {
        case .malformed:
            (
                .malformedText,
                "the text was not encrypted with a key, or is not whole; copy all of it again", nil
            )
        case .tooLong: (.textTooLong, "the text is longer than 1 MiB", "hsip encrypt NAME --file FILE")
        case .notText:
            (.notText, "only UTF-8 text can be encrypted with a key", "hsip encrypt NAME --file FILE")
        case .emptyKey: (.emptyKey, "the key is empty", nil)
        case .cannotOpen: (.textNotOpened, "the key is wrong, or the text was changed", nil)
        case .outOfMemory: (.outOfMemory, "hsip cannot lock enough memory", "ulimit -l")
        }
    }
}
