package import TextCipher

extension TextCipherError: Explainable {
    package var explanation: ErrorText { ErrorText(words) }

    private var words: ErrorText.Words {
        switch self {
        case .malformed:
            (.malformedText, "this is not a text that was encrypted under a key; copy all of it again", nil)
        case .tooLong: (.textTooLong, "this is longer than 1 MiB", "hsip encrypt NAME --file FILE")
        case .notText:
            (.notText, "only UTF-8 text can be encrypted this way", "hsip encrypt NAME --file FILE")
        case .emptyKey: (.emptyKey, "the key is empty", nil)
        case .cannotOpen: (.textNotOpened, "the key is wrong, or the text was changed", nil)
        case .outOfMemory: (.outOfMemory, "no locked memory left", "ulimit -l")
        }
    }
}
