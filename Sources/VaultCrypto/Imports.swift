/// A module that imports `VaultCrypto` also gets the secret memory that its functions use.
@_exported public import SecretMemory
