#define _GNU_SOURCE
#include "memory_extras.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Code that the loader had to write into would come back as it is in the file.
static int is_relocated(const struct dl_phdr_info *object) {
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_DYNAMIC) continue;
        for (const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr);
             entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL) return 1;
            if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) return 1;
        }
    }
    return 0;
}

static int let_go(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    // The kernel's own page is no file's.
    if (strncmp(object->dlpi_name, "linux-", 6) == 0 || is_relocated(object)) return 0;
    ElfW(Addr) page = *(const ElfW(Addr) *)context;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
        ElfW(Addr) start = object->dlpi_addr + header->p_vaddr;
        ElfW(Addr) end = start + header->p_filesz;
        start &= ~(page - 1);
        end = (end + page - 1) & ~(page - 1);
        (void)madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void hsip_let_go_of_code(void) {
    ElfW(Addr) page = (ElfW(Addr))sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(let_go, &page);
}
