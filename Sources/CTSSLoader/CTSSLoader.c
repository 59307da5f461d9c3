#include "CTSSLoader.h"

#include <dlfcn.h>
#include <pthread.h>

static struct hsip_tss table;
static const struct hsip_tss *found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// A library stays once it is there: what it left running must not lose its code.
static void *library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

static void load(void) {
    void *esys = library("libtss2-esys.so.0");
    void *mu = library("libtss2-mu.so.0");
    if (esys == NULL || mu == NULL) return;
#define FIND(handle, name) \
    if ((*(void **)(&table.name) = dlsym(handle, #name)) == NULL) return;
    FIND(esys, Esys_Initialize)
    FIND(esys, Esys_Finalize)
    FIND(esys, Esys_Free)
    FIND(esys, Esys_GetCapability)
    FIND(esys, Esys_TR_FromTPMPublic)
    FIND(esys, Esys_TR_Close)
    FIND(esys, Esys_TR_SetAuth)
    FIND(esys, Esys_TR_GetName)
    FIND(esys, Esys_ReadPublic)
    FIND(esys, Esys_CreatePrimary)
    FIND(esys, Esys_StartAuthSession)
    FIND(esys, Esys_TRSess_SetAttributes)
    FIND(esys, Esys_Create)
    FIND(esys, Esys_Load)
    FIND(esys, Esys_Unseal)
    FIND(esys, Esys_FlushContext)
    FIND(esys, Esys_PolicyPCR)
    FIND(esys, Esys_PolicyAuthValue)
    FIND(esys, Esys_PolicyGetDigest)
    FIND(esys, Esys_NV_DefineSpace)
    FIND(esys, Esys_NV_UndefineSpace)
    FIND(esys, Esys_NV_ReadPublic)
    FIND(esys, Esys_NV_Increment)
    FIND(esys, Esys_NV_Read)
    FIND(mu, Tss2_MU_TPM2B_PUBLIC_Unmarshal)
    FIND(mu, Tss2_MU_TPM2B_PUBLIC_Marshal)
    FIND(mu, Tss2_MU_TPM2B_PRIVATE_Unmarshal)
    FIND(mu, Tss2_MU_TPM2B_PRIVATE_Marshal)
    FIND(mu, Tss2_MU_TPM2B_SENSITIVE_CREATE_Unmarshal)
    FIND(mu, Tss2_MU_TPML_PCR_SELECTION_Unmarshal)
    FIND(mu, Tss2_MU_TPMT_SYM_DEF_Unmarshal)
    FIND(mu, Tss2_MU_TPM2B_DIGEST_Unmarshal)
    FIND(mu, Tss2_MU_TPM2B_DIGEST_Marshal)
    FIND(mu, Tss2_MU_TPM2B_DATA_Unmarshal)
    FIND(mu, Tss2_MU_TPM2B_NAME_Marshal)
    FIND(mu, Tss2_MU_TPM2B_SENSITIVE_DATA_Marshal)
    FIND(mu, Tss2_MU_TPM2B_MAX_NV_BUFFER_Marshal)
    FIND(mu, Tss2_MU_TPM2B_NV_PUBLIC_Unmarshal)
    FIND(mu, Tss2_MU_TPM2B_NV_PUBLIC_Marshal)
    FIND(mu, Tss2_MU_TPMS_CAPABILITY_DATA_Marshal)
#undef FIND
    found = &table;
}

const struct hsip_tss *hsip_tss_load(void) {
    pthread_once(&once, load);
    return found;
}

hsip_tcti_init *hsip_tcti_device(void) {
    void *handle = library("libtss2-tcti-device.so.0");
    return handle == NULL ? NULL : (hsip_tcti_init *)dlsym(handle, "Tss2_Tcti_Device_Init");
}

// TSS2_TCTI_CONTEXT_COMMON_V1, whose layout is part of the interface between transports and callers.
struct transport {
    uint64_t magic;
    uint32_t version;
    void *transmit;
    void *receive;
    void (*finalize)(void *context);
};

void hsip_tcti_end(void *context) {
    struct transport *transport = context;
    if (transport->finalize != NULL) transport->finalize(context);
}
