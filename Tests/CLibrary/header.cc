// The header in C++, every name of it used once.
#include <hsip.h>

int main()
{
    static_assert(sizeof(hsip_status) == 4 && HSIP_CHANGED == 15, "the numbers of the exit codes");
    hsip_options options{};
    options.size = sizeof options;
    options.vault = "nosuch";
    hsip_vault *vault = nullptr;
    hsip_bytes bytes{};
    hsip_status status = hsip_open(&options, &vault);
    hsip_bytes_free(&bytes);
    hsip_close(vault);
    return status == HSIP_NOT_FOUND && hsip_version() != nullptr ? 0 : 1;
}
