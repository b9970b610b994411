/* QEMU plugin (API version 1, QEMU 7.2): exact guest instructions of every interval between two empty functions,
   nsc_mark_begin and nsc_mark_end, and an estimate of Cortex-M4F cycles.  Declares the few entry points it
   uses, because Debian's QEMU has plugins switched on but ships no header.

       cc -O2 -shared -fPIC insncount.c -o insncount.so
       qemu-system-arm ... -plugin ./insncount.so[,top=on]

   One line a sample on stderr: "count INSTRUCTIONS LOW HIGH", with the cycles of an M4F without wait states by ARM's
   table (TRM 100166, section 3.3; FPU: section 7.2.3): low takes pipelined loads and short branches, high
   neither.  Never checked on silicon: an estimate.  top=on adds instructions by function at the end.  Where the program has
   empty functions mark_NSC_STAGE_BROAD, _NARROW, _MATCH, _ISLANDS, _ROWS, _SOLVE, _MOVE, _REST, a line "stages N ..." before each
   "count" has the instructions of each stage, in this order. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t id_t_;
extern void qemu_plugin_register_vcpu_tb_trans_cb(id_t_, void (*)(id_t_, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
extern const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *);
extern char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, int, void *, uint64_t);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int, void *);
#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;

typedef struct { uint64_t instructions, low, high, branches; } counts;
typedef struct { uint64_t start, end; } range;
typedef struct function { const char *name; uint64_t at_begin, now, sum; struct function *next; } function;

static counts now, at_begin;
static uint64_t last_end;
static int inside, top;
static const char *const stage_names[] = {"BROAD", "NARROW", "MATCH", "ISLANDS", "ROWS", "SOLVE", "MOVE", "REST"};
enum { STAGES = sizeof stage_names / sizeof *stage_names };
static uint64_t in_stage[STAGES], stage_begin;
static int stage = STAGES - 1, staged;
static function *functions;

static function *find_function(const char *name)
{
    function *f;
    if (!name || !*name) name = "?";
    for (f = functions; f; f = f->next)
        if (!strcmp(f->name, name)) return f;
    f = calloc(1, sizeof *f);
    f->name = strdup(name);
    f->next = functions;
    return functions = f;
}

static void on_stage(unsigned cpu, void *data)
{
    (void)cpu;
    in_stage[stage] += now.instructions - stage_begin;
    stage_begin = now.instructions;
    stage = (int)(intptr_t)data;
    staged = 1;
}

static void on_begin(unsigned cpu, void *data)
{
    function *f;
    (void)cpu, (void)data;
    at_begin = now;
    memset(in_stage, 0, sizeof in_stage);
    stage_begin = now.instructions;
    stage = STAGES - 1;
    inside = 1;
    for (f = functions; f; f = f->next) f->at_begin = f->now;
}

static void on_end(unsigned cpu, void *data)
{
    uint64_t branches = now.branches - at_begin.branches;
    function *f;
    (void)cpu, (void)data;
    if (!inside) return;
    inside = 0;
    for (f = functions; f; f = f->next) f->sum += f->now - f->at_begin;
    in_stage[stage] += now.instructions - stage_begin;
    if (staged) {
        int i;
        fprintf(stderr, "stages");
        for (i = 0; i < STAGES; i++) fprintf(stderr, " %llu", (unsigned long long)in_stage[i]);
        fprintf(stderr, "\n");
    }
    fprintf(stderr, "count %llu %llu %llu\n", (unsigned long long)(now.instructions - at_begin.instructions),
            (unsigned long long)(now.low - at_begin.low + branches), (unsigned long long)(now.high - at_begin.high + 3 * branches));
}

static void on_block(unsigned cpu, void *data)
{
    const range *r = data;
    (void)cpu;
    if (last_end && r->start != last_end) now.branches++;
    last_end = r->end;
}

static int starts(const char *s, const char *prefix) { return !strncmp(s, prefix, strlen(prefix)); }

/* registers in a list such as {r4, r5, r6, lr} or {s0-s3}: QEMU's disassembler writes either */
static unsigned list_length(const char *operands)
{
    const char *p = strchr(operands, '{');
    unsigned n = 0;
    if (!p) return 1;
    for (p++; *p && *p != '}'; p++) {
        if (*p == 's' || *p == 'r' || *p == 'l' || (*p == 'p' && p[1] == 'c')) n++;
        if (*p == 'd') n += 2;
        if (*p == '-') {
            int from = 0, to = 0;
            const char *q = p;
            while (q > operands && q[-1] >= '0' && q[-1] <= '9') q--;
            sscanf(q, "%d", &from);
            q = p + 1 + strspn(p + 1, " srd");
            sscanf(q, "%d", &to);
            n += (unsigned)(to - from) * (strchr("d", q[-1]) ? 2 : 1);
            p = q;
        }
        while (p[1] && p[1] != ',' && p[1] != '-' && p[1] != '}') p++;
    }
    return n;
}

static void cost(const char *text, unsigned *low, unsigned *high)
{
    const char *operands = strchr(text, ' ');
    operands = operands ? operands : "";
    *low = *high = 1;
    if (starts(text, "vdiv") || starts(text, "vsqrt")) *low = *high = 14;
    else if (starts(text, "vml") || starts(text, "vnml") || starts(text, "vfm") || starts(text, "vfnm")) *low = *high = 3;
    else if (starts(text, "vldm") || starts(text, "vstm") || starts(text, "vpush") || starts(text, "vpop"))
        *low = *high = 1 + list_length(operands);
    else if (starts(text, "ldm") || starts(text, "stm") || starts(text, "push") || starts(text, "pop"))
        *low = *high = 1 + list_length(operands);
    else if (starts(text, "ldrd") || starts(text, "strd")) *low = *high = 3;
    else if (starts(text, "ldr") || starts(text, "str") || starts(text, "vldr") || starts(text, "vstr")) *high = 2;
    else if (starts(text, "sdiv") || starts(text, "udiv")) *low = 2, *high = 12;
    else if (starts(text, "v") && !starts(text, "vmov")) *high = 2; /* its result may be wanted at once */
}

static void on_translate(id_t_ id, struct qemu_plugin_tb *tb)
{
    size_t i, n = qemu_plugin_tb_n_insns(tb);
    struct qemu_plugin_insn *last = n ? qemu_plugin_tb_get_insn(tb, n - 1) : NULL;
    range *r = malloc(sizeof *r);
    (void)id;
    if (!n) return;
    r->start = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
    r->end = qemu_plugin_insn_vaddr(last) + qemu_plugin_insn_size(last);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, 0, r);
    for (i = 0; i < n; i++) {
        struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, i);
        const char *name = qemu_plugin_insn_symbol(in);
        char *text = qemu_plugin_insn_disas(in);
        unsigned low, high;
        static uint64_t begin, end, stage_at[STAGES];
        uint64_t address = qemu_plugin_insn_vaddr(in);
        if (name && !strcmp(name, "nsc_mark_begin") && (!begin || begin == address)) {
            begin = address;
            qemu_plugin_register_vcpu_insn_exec_cb(in, on_begin, 0, NULL);
        }
        if (name && !strcmp(name, "nsc_mark_end") && (!end || end == address)) {
            end = address;
            qemu_plugin_register_vcpu_insn_exec_cb(in, on_end, 0, NULL);
        }
        if (name && !strncmp(name, "mark_NSC_STAGE_", 15)) {
            int k;
            for (k = 0; k < STAGES; k++)
                if (!strcmp(name + 15, stage_names[k]) && stage_at[k] == 0) stage_at[k] = address;
            for (k = 0; k < STAGES; k++)
                if (stage_at[k] == address) qemu_plugin_register_vcpu_insn_exec_cb(in, on_stage, 0, (void *)(intptr_t)k);
        }
        cost(text, &low, &high);
        free(text);
        qemu_plugin_register_vcpu_insn_exec_inline(in, 0, &now.instructions, 1);
        qemu_plugin_register_vcpu_insn_exec_inline(in, 0, &now.low, low);
        qemu_plugin_register_vcpu_insn_exec_inline(in, 0, &now.high, high);
        if (top) qemu_plugin_register_vcpu_insn_exec_inline(in, 0, &find_function(name)->now, 1);
    }
}

static void at_exit(void)
{
    const function *f;
    for (f = functions; f; f = f->next)
        if (f->sum) fprintf(stderr, "top %12llu %s\n", (unsigned long long)f->sum, f->name);
}

EXPORT int qemu_plugin_install(id_t_ id, const void *info, int argc, char **argv)
{
    (void)info;
    top = argc > 0 && starts(argv[0], "top=on");
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    if (top) atexit(at_exit); /* semihosting leaves through exit() */
    return 0;
}
