/* A plugin of QEMU's emulator of user programs (its plugin API, version 1): how many instructions a program ran, and how
 * many of them compute with vectors or floats (of 64-bit Arm), divide or take a root, or are for one port of two. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What of qemu-plugin.h it uses: Debian's qemu-user 7.2 comes without the header. */
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { ADD = 0 };
extern void qemu_plugin_outs(const char *text);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t number);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction);
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*seen)(uint64_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int op, void *counter, uint64_t by);
extern void qemu_plugin_register_atexit_cb(uint64_t id, void (*ended)(uint64_t, void *), void *data);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t ran, computed, divided, single;

/* Encodings of the Arm Architecture Reference Manual, C4.1. */

/* Data processing of scalar floats and of vectors: bits 25 to 27. */
static int computes(uint32_t word)
{
    return (word >> 25 & 7) == 7;
}

/* FDIV and FSQRT of vectors. */
static int divides(uint32_t word)
{
    return (word & 0xBFA0FC00) == 0x2E20FC00 || (word & 0xBFBFFC00) == 0x2EA1F800;
}

/* Of vectors: conversions from and to floats, and roundings; products of integers. */
static int is_single(uint32_t word)
{
    const unsigned kind = word >> 12 & 31;
    const int converts = (word & 0x9F3E0C00) == 0x0E200800 && kind >= 0x16 && kind <= 0x1D;
    return converts || (word & 0x9F20FC00) == 0x0E209C00 || (word & 0x9F20FC00) == 0x0E209400;
}

static void seen(uint64_t id, struct qemu_plugin_tb *block)
{
    const size_t all = qemu_plugin_tb_n_insns(block);
    uint64_t own[3] = {0};
    (void)id;
    for (size_t n = 0; n < all; n++) {
        uint32_t word;
        memcpy(&word, qemu_plugin_insn_data(qemu_plugin_tb_get_insn(block, n)), sizeof word);
        own[0] += computes(word);
        own[1] += divides(word);
        own[2] += is_single(word);
    }
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &ran, all);
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &computed, own[0]);
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &divided, own[1]);
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &single, own[2]);
}

static void ended(uint64_t id, void *data)
{
    char text[160];
    (void)id, (void)data;
    snprintf(text, sizeof text, "instructions %llu computed %llu divided %llu single %llu\n", (unsigned long long)ran,
             (unsigned long long)computed, (unsigned long long)divided, (unsigned long long)single);
    qemu_plugin_outs(text);
}

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int count, char **words)
{
    (void)info, (void)count, (void)words;
    qemu_plugin_register_vcpu_tb_trans_cb(id, seen);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
