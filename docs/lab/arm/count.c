/* A plugin of QEMU's emulator of user programs (its plugin API, version 1): how many instructions a program ran. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What of qemu-plugin.h it uses: Debian's qemu-user 7.2 comes without the header. */
struct qemu_plugin_tb;
enum { ADD = 0 };
extern void qemu_plugin_outs(const char *text);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*seen)(uint64_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int op, void *counter, uint64_t by);
extern void qemu_plugin_register_atexit_cb(uint64_t id, void (*ended)(uint64_t, void *), void *data);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t ran;

static void seen(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &ran, qemu_plugin_tb_n_insns(block));
}

static void ended(uint64_t id, void *data)
{
    char text[64];
    (void)id, (void)data;
    snprintf(text, sizeof text, "instructions %llu\n", (unsigned long long)ran);
    qemu_plugin_outs(text);
}

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int count, char **words)
{
    (void)info, (void)count, (void)words;
    qemu_plugin_register_vcpu_tb_trans_cb(id, seen);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
