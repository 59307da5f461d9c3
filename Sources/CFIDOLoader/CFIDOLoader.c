#include "CFIDOLoader.h"

#include <dlfcn.h>
#include <pthread.h>

static struct hsip_fido table;
static const struct hsip_fido *found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    // A library stays once it is there: what it left running must not lose its code.
    void *handle = dlopen("libfido2.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL) return;
#define FIND(name) \
    if ((*(void **)(&table.name) = dlsym(handle, #name)) == NULL) return;
    FIND(fido_init)
    FIND(fido_dev_new)
    FIND(fido_dev_free)
    FIND(fido_dev_open)
    FIND(fido_dev_close)
    FIND(fido_dev_cancel)
    FIND(fido_dev_is_fido2)
    FIND(fido_dev_set_timeout)
    FIND(fido_dev_get_cbor_info)
    FIND(fido_dev_get_retry_count)
    FIND(fido_dev_get_touch_begin)
    FIND(fido_dev_get_touch_status)
    FIND(fido_dev_make_cred)
    FIND(fido_dev_get_assert)
    FIND(fido_dev_info_new)
    FIND(fido_dev_info_free)
    FIND(fido_dev_info_manifest)
    FIND(fido_dev_info_ptr)
    FIND(fido_dev_info_path)
    FIND(fido_dev_info_product_string)
    FIND(fido_dev_info_manufacturer_string)
    FIND(fido_cbor_info_new)
    FIND(fido_cbor_info_free)
    FIND(fido_cbor_info_aaguid_ptr)
    FIND(fido_cbor_info_aaguid_len)
    FIND(fido_cbor_info_extensions_ptr)
    FIND(fido_cbor_info_extensions_len)
    FIND(fido_cbor_info_options_name_ptr)
    FIND(fido_cbor_info_options_value_ptr)
    FIND(fido_cbor_info_options_len)
    FIND(fido_cred_new)
    FIND(fido_cred_free)
    FIND(fido_cred_set_type)
    FIND(fido_cred_set_clientdata_hash)
    FIND(fido_cred_set_rp)
    FIND(fido_cred_set_user)
    FIND(fido_cred_set_extensions)
    FIND(fido_cred_id_ptr)
    FIND(fido_cred_id_len)
    FIND(fido_cred_aaguid_ptr)
    FIND(fido_cred_aaguid_len)
    FIND(fido_assert_new)
    FIND(fido_assert_free)
    FIND(fido_assert_set_clientdata_hash)
    FIND(fido_assert_set_rp)
    FIND(fido_assert_allow_cred)
    FIND(fido_assert_set_extensions)
    FIND(fido_assert_set_hmac_salt)
    FIND(fido_assert_set_up)
    FIND(fido_assert_set_uv)
    FIND(fido_assert_count)
    FIND(fido_assert_flags)
    FIND(fido_assert_hmac_secret_ptr)
    FIND(fido_assert_hmac_secret_len)
#undef FIND
    found = &table;
}

const struct hsip_fido *hsip_fido_load(void) {
    pthread_once(&once, load);
    // Its flags are those of a thread.
    if (found != NULL) found->fido_init(HSIP_FIDO_NO_U2F);
    return found;
}
