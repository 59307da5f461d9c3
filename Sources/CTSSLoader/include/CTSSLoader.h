// tpm2-tss, looked up when a TPM is used first: a program that uses none pays nothing, and building this one needs no
// headers of it.
//
// The declarations are its public interface as functions see it (libtss2-esys.so.0, libtss2-mu.so.0, libtss2-tcti-device.so.0).
// Its structures appear by name only. They are made from and turned into the bytes that the TPM's specification gives
// them by the library's own functions (Tss2_MU_…), so that nothing here depends on how it lays them out in memory.
#ifndef HSIP_CTSS_LOADER_H
#define HSIP_CTSS_LOADER_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What every function answers: 0, or a layer and a number.
typedef uint32_t hsip_tss_rc;
/// A handle of the library, which is not one of the TPM.
typedef uint32_t hsip_esys_handle;

struct hsip_esys;

/// Room for every structure that is passed in; the largest needs less than half of it.
#define HSIP_TSS_ROOM 4096

#define HSIP_ESYS_NONE 0xfffu
#define HSIP_ESYS_PASSWORD 0x0ffu
#define HSIP_ESYS_OWNER 0x101u

typedef hsip_tss_rc hsip_mu_marshal(const void *source, uint8_t *buffer, size_t size, size_t *offset);
typedef hsip_tss_rc hsip_mu_unmarshal(const uint8_t *buffer, size_t size, size_t *offset, void *target);

/// The functions that are used, under the library's names.
struct hsip_tss {
    hsip_tss_rc (*Esys_Initialize)(struct hsip_esys *_Nullable *_Nonnull context, void *transport, void *_Nullable version);
    void (*Esys_Finalize)(struct hsip_esys *_Nullable *_Nonnull context);
    void (*Esys_Free)(void *_Nullable memory);
    hsip_tss_rc (*Esys_GetCapability)(struct hsip_esys *, hsip_esys_handle, hsip_esys_handle, hsip_esys_handle,
                                      uint32_t capability, uint32_t property, uint32_t count, uint8_t *more,
                                      void *_Nullable *_Nonnull data);
    hsip_tss_rc (*Esys_TR_FromTPMPublic)(struct hsip_esys *, uint32_t handle, hsip_esys_handle, hsip_esys_handle,
                                         hsip_esys_handle, hsip_esys_handle *object);
    hsip_tss_rc (*Esys_TR_Close)(struct hsip_esys *, hsip_esys_handle *object);
    hsip_tss_rc (*Esys_TR_SetAuth)(struct hsip_esys *, hsip_esys_handle, const void *auth);
    hsip_tss_rc (*Esys_TR_GetName)(struct hsip_esys *, hsip_esys_handle, void *_Nullable *_Nonnull name);
    hsip_tss_rc (*Esys_ReadPublic)(struct hsip_esys *, hsip_esys_handle, hsip_esys_handle, hsip_esys_handle, hsip_esys_handle,
                                   void *_Nullable *_Nonnull content, void *_Nullable *_Nullable name,
                                   void *_Nullable *_Nullable qualified);
    hsip_tss_rc (*Esys_CreatePrimary)(struct hsip_esys *, hsip_esys_handle hierarchy, hsip_esys_handle, hsip_esys_handle,
                                      hsip_esys_handle, const void *sensitive, const void *template_, const void *outside,
                                      const void *registers, hsip_esys_handle *object,
                                      void *_Nullable *_Nonnull content, void *_Nullable *_Nullable creation,
                                      void *_Nullable *_Nullable hash, void *_Nullable *_Nullable ticket);
    hsip_tss_rc (*Esys_StartAuthSession)(struct hsip_esys *, hsip_esys_handle salted, hsip_esys_handle bound,
                                         hsip_esys_handle, hsip_esys_handle, hsip_esys_handle, const void *_Nullable nonce,
                                         uint8_t kind, const void *cipher, uint16_t hash, hsip_esys_handle *session);
    hsip_tss_rc (*Esys_TRSess_SetAttributes)(struct hsip_esys *, hsip_esys_handle session, uint8_t flags, uint8_t mask);
    hsip_tss_rc (*Esys_Create)(struct hsip_esys *, hsip_esys_handle parent, hsip_esys_handle, hsip_esys_handle,
                               hsip_esys_handle, const void *sensitive, const void *template_, const void *outside,
                               const void *registers, void *_Nullable *_Nonnull private_,
                               void *_Nullable *_Nonnull public_, void *_Nullable *_Nullable creation,
                               void *_Nullable *_Nullable hash, void *_Nullable *_Nullable ticket);
    hsip_tss_rc (*Esys_Load)(struct hsip_esys *, hsip_esys_handle parent, hsip_esys_handle, hsip_esys_handle,
                             hsip_esys_handle, const void *private_, const void *public_, hsip_esys_handle *object);
    hsip_tss_rc (*Esys_Unseal)(struct hsip_esys *, hsip_esys_handle item, hsip_esys_handle, hsip_esys_handle,
                               hsip_esys_handle, void *_Nullable *_Nonnull data);
    hsip_tss_rc (*Esys_FlushContext)(struct hsip_esys *, hsip_esys_handle object);
    hsip_tss_rc (*Esys_PolicyPCR)(struct hsip_esys *, hsip_esys_handle session, hsip_esys_handle, hsip_esys_handle,
                                  hsip_esys_handle, const void *digest, const void *registers);
    hsip_tss_rc (*Esys_PolicyAuthValue)(struct hsip_esys *, hsip_esys_handle session, hsip_esys_handle, hsip_esys_handle,
                                        hsip_esys_handle);
    hsip_tss_rc (*Esys_PolicyGetDigest)(struct hsip_esys *, hsip_esys_handle session, hsip_esys_handle, hsip_esys_handle,
                                        hsip_esys_handle, void *_Nullable *_Nonnull digest);
    hsip_tss_rc (*Esys_NV_DefineSpace)(struct hsip_esys *, hsip_esys_handle hierarchy, hsip_esys_handle, hsip_esys_handle,
                                       hsip_esys_handle, const void *auth, const void *public_, hsip_esys_handle *index);
    hsip_tss_rc (*Esys_NV_UndefineSpace)(struct hsip_esys *, hsip_esys_handle hierarchy, hsip_esys_handle index,
                                         hsip_esys_handle, hsip_esys_handle, hsip_esys_handle);
    hsip_tss_rc (*Esys_NV_ReadPublic)(struct hsip_esys *, hsip_esys_handle index, hsip_esys_handle, hsip_esys_handle,
                                      hsip_esys_handle, void *_Nullable *_Nonnull public_, void *_Nullable *_Nullable name);
    hsip_tss_rc (*Esys_NV_Increment)(struct hsip_esys *, hsip_esys_handle authority, hsip_esys_handle index,
                                     hsip_esys_handle, hsip_esys_handle, hsip_esys_handle);
    hsip_tss_rc (*Esys_NV_Read)(struct hsip_esys *, hsip_esys_handle authority, hsip_esys_handle index, hsip_esys_handle,
                                hsip_esys_handle, hsip_esys_handle, uint16_t size, uint16_t offset,
                                void *_Nullable *_Nonnull data);
    hsip_mu_unmarshal *Tss2_MU_TPM2B_PUBLIC_Unmarshal;
    hsip_mu_marshal *Tss2_MU_TPM2B_PUBLIC_Marshal;
    hsip_mu_unmarshal *Tss2_MU_TPM2B_PRIVATE_Unmarshal;
    hsip_mu_marshal *Tss2_MU_TPM2B_PRIVATE_Marshal;
    hsip_mu_unmarshal *Tss2_MU_TPM2B_SENSITIVE_CREATE_Unmarshal;
    hsip_mu_unmarshal *Tss2_MU_TPML_PCR_SELECTION_Unmarshal;
    hsip_mu_unmarshal *Tss2_MU_TPMT_SYM_DEF_Unmarshal;
    hsip_mu_unmarshal *Tss2_MU_TPM2B_DIGEST_Unmarshal;
    hsip_mu_marshal *Tss2_MU_TPM2B_DIGEST_Marshal;
    hsip_mu_unmarshal *Tss2_MU_TPM2B_DATA_Unmarshal;
    hsip_mu_marshal *Tss2_MU_TPM2B_NAME_Marshal;
    hsip_mu_marshal *Tss2_MU_TPM2B_SENSITIVE_DATA_Marshal;
    hsip_mu_marshal *Tss2_MU_TPM2B_MAX_NV_BUFFER_Marshal;
    hsip_mu_unmarshal *Tss2_MU_TPM2B_NV_PUBLIC_Unmarshal;
    hsip_mu_marshal *Tss2_MU_TPM2B_NV_PUBLIC_Marshal;
    hsip_mu_marshal *Tss2_MU_TPMS_CAPABILITY_DATA_Marshal;
};

/// Finds the libraries and all functions; NULL where one is missing. The second call costs nothing.
const struct hsip_tss *_Nullable hsip_tss_load(void);

/// The start of a connection to a TPM as this library calls it: with no context it tells how much memory it wants.
typedef hsip_tss_rc hsip_tcti_init(void *_Nullable context, size_t *size, const char *_Nullable place);

/// Tss2_Tcti_Device_Init: a connection to a device node; NULL where the library is missing.
hsip_tcti_init *_Nullable hsip_tcti_device(void);

/// Ends a connection, whose structure begins with a magic number, a version and its functions.
void hsip_tcti_end(void *context);

#pragma clang assume_nonnull end

#endif
