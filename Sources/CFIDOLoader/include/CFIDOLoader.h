// libfido2, looked up when a security key is used first: a program that uses none pays nothing, and building this one
// needs no headers of it.
//
// The declarations are its public interface (libfido2.so.1). All its types are known by name only.
#ifndef HSIP_CFIDO_LOADER_H
#define HSIP_CFIDO_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

struct fido_dev;
struct fido_dev_info;
struct fido_cbor_info;
struct fido_cred;
struct fido_assert;

/// Keys that know U2F alone are not spoken to.
#define HSIP_FIDO_NO_U2F 0x02
/// The extension hmac-secret.
#define HSIP_FIDO_HMAC_SECRET 0x01
/// COSE ES256.
#define HSIP_FIDO_ES256 (-7)
/// What an option of a request is set to; 0 leaves it out.
#define HSIP_FIDO_FALSE 1
#define HSIP_FIDO_TRUE 2

/// The functions that are used, under the library's names.
struct hsip_fido {
    void (*fido_init)(int flags);
    struct fido_dev *_Nullable (*_Nonnull fido_dev_new)(void);
    void (*fido_dev_free)(struct fido_dev *_Nullable *_Nonnull dev);
    int (*fido_dev_open)(struct fido_dev *dev, const char *path);
    int (*fido_dev_close)(struct fido_dev *dev);
    int (*fido_dev_cancel)(struct fido_dev *dev);
    bool (*fido_dev_is_fido2)(const struct fido_dev *dev);
    int (*fido_dev_set_timeout)(struct fido_dev *dev, int milliseconds);
    int (*fido_dev_get_cbor_info)(struct fido_dev *dev, struct fido_cbor_info *info);
    int (*fido_dev_get_retry_count)(struct fido_dev *dev, int *count);
    int (*fido_dev_get_touch_begin)(struct fido_dev *dev);
    int (*fido_dev_get_touch_status)(struct fido_dev *dev, int *touched, int milliseconds);
    int (*fido_dev_make_cred)(struct fido_dev *dev, struct fido_cred *cred, const char *_Nullable pin);
    int (*fido_dev_get_assert)(struct fido_dev *dev, struct fido_assert *assertion, const char *_Nullable pin);

    struct fido_dev_info *_Nullable (*_Nonnull fido_dev_info_new)(size_t count);
    void (*fido_dev_info_free)(struct fido_dev_info *_Nullable *_Nonnull list, size_t count);
    int (*fido_dev_info_manifest)(struct fido_dev_info *list, size_t room, size_t *count);
    const struct fido_dev_info *_Nullable (*_Nonnull fido_dev_info_ptr)(const struct fido_dev_info *list, size_t index);
    const char *_Nullable (*_Nonnull fido_dev_info_path)(const struct fido_dev_info *info);
    const char *_Nullable (*_Nonnull fido_dev_info_product_string)(const struct fido_dev_info *info);
    const char *_Nullable (*_Nonnull fido_dev_info_manufacturer_string)(const struct fido_dev_info *info);

    struct fido_cbor_info *_Nullable (*_Nonnull fido_cbor_info_new)(void);
    void (*fido_cbor_info_free)(struct fido_cbor_info *_Nullable *_Nonnull info);
    const uint8_t *_Nullable (*_Nonnull fido_cbor_info_aaguid_ptr)(const struct fido_cbor_info *info);
    size_t (*fido_cbor_info_aaguid_len)(const struct fido_cbor_info *info);
    char *_Nullable *_Nullable (*_Nonnull fido_cbor_info_extensions_ptr)(const struct fido_cbor_info *info);
    size_t (*fido_cbor_info_extensions_len)(const struct fido_cbor_info *info);
    char *_Nullable *_Nullable (*_Nonnull fido_cbor_info_options_name_ptr)(const struct fido_cbor_info *info);
    const bool *_Nullable (*_Nonnull fido_cbor_info_options_value_ptr)(const struct fido_cbor_info *info);
    size_t (*fido_cbor_info_options_len)(const struct fido_cbor_info *info);

    struct fido_cred *_Nullable (*_Nonnull fido_cred_new)(void);
    void (*fido_cred_free)(struct fido_cred *_Nullable *_Nonnull cred);
    int (*fido_cred_set_type)(struct fido_cred *cred, int algorithm);
    int (*fido_cred_set_clientdata_hash)(struct fido_cred *cred, const uint8_t *hash, size_t count);
    int (*fido_cred_set_rp)(struct fido_cred *cred, const char *identifier, const char *name);
    int (*fido_cred_set_user)(struct fido_cred *cred, const uint8_t *identifier, size_t count, const char *name,
                              const char *_Nullable display, const char *_Nullable icon);
    int (*fido_cred_set_extensions)(struct fido_cred *cred, int extensions);
    const uint8_t *_Nullable (*_Nonnull fido_cred_id_ptr)(const struct fido_cred *cred);
    size_t (*fido_cred_id_len)(const struct fido_cred *cred);
    const uint8_t *_Nullable (*_Nonnull fido_cred_aaguid_ptr)(const struct fido_cred *cred);
    size_t (*fido_cred_aaguid_len)(const struct fido_cred *cred);

    struct fido_assert *_Nullable (*_Nonnull fido_assert_new)(void);
    void (*fido_assert_free)(struct fido_assert *_Nullable *_Nonnull assertion);
    int (*fido_assert_set_clientdata_hash)(struct fido_assert *assertion, const uint8_t *hash, size_t count);
    int (*fido_assert_set_rp)(struct fido_assert *assertion, const char *identifier);
    int (*fido_assert_allow_cred)(struct fido_assert *assertion, const uint8_t *identifier, size_t count);
    int (*fido_assert_set_extensions)(struct fido_assert *assertion, int extensions);
    int (*fido_assert_set_hmac_salt)(struct fido_assert *assertion, const uint8_t *salt, size_t count);
    int (*fido_assert_set_up)(struct fido_assert *assertion, int option);
    int (*fido_assert_set_uv)(struct fido_assert *assertion, int option);
    size_t (*fido_assert_count)(const struct fido_assert *assertion);
    uint8_t (*fido_assert_flags)(const struct fido_assert *assertion, size_t index);
    const uint8_t *_Nullable (*_Nonnull fido_assert_hmac_secret_ptr)(const struct fido_assert *assertion, size_t index);
    size_t (*fido_assert_hmac_secret_len)(const struct fido_assert *assertion, size_t index);
};

/// Finds the library and all functions, and starts it without U2F and without its debugging output; NULL where it is
/// missing. The second call costs nothing, but each thread must call it once.
const struct hsip_fido *_Nullable hsip_fido_load(void);

#pragma clang assume_nonnull end

#endif
