/// Who imports `VaultCrypto` has the memory that its functions work on, too.
@_exported public import SecretMemory
