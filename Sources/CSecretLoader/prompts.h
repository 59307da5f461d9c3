// The methods of the service by which libsecret shows every prompt, on the thread that made the call.
#ifndef HSIP_CSECRET_PROMPTS_H
#define HSIP_CSECRET_PROMPTS_H

#include "CSecretLoader.h"

void hsip_secret_prompt_async(SecretService *self, SecretPrompt *prompt, const GVariantType *type,
                              GCancellable *cancellable, GAsyncReadyCallback done, gpointer data);
GVariant *hsip_secret_prompt_finish(SecretService *self, GAsyncResult *result, GError **error);

#endif
