#include "shim.h"
#include <dnnl.hpp>
#include <unordered_map>

using namespace dnnl;
using tag = memory::format_tag;
enum { PLAIN, PACKED, INNER };

struct state_t {
    primitive product;
    std::unordered_map<int, memory> arguments;
    memory weights;
};

static engine cpu(engine::kind::cpu, 0);
static stream queue(cpu);

static memory::desc given(memory::dims dims, memory::data_type type, bool swapped)
{
    tag plain = dims.size() == 3 ? tag::abc : tag::ab, other = dims.size() == 3 ? tag::acb : tag::ba;
    return memory::desc(dims, type, swapped ? other : plain);
}

static memory packed(memory::desc from, memory::desc to, const void *data)
{
    memory source(from, cpu, const_cast<void *>(data));
    if (from == to) return source;
    memory made(to, cpu);
    reorder(source, made).execute(queue, source, made);
    queue.wait();
    return made;
}

MAKE
try {
    if ((way != PLAIN && !constant) || (way == INNER && batch > 1)) return nullptr;
    auto ta = dtype == F32 ? memory::data_type::f32 : dtype == BF16 ? memory::data_type::bf16 : memory::data_type::u8;
    auto tb = dtype == U8S8 ? memory::data_type::s8 : ta;
    auto tc = dtype == U8S8 ? memory::data_type::s32 : memory::data_type::f32;
    memory::dims da{m, k}, db{k, n}, dc{m, n};
    if (batch > 1) for (auto *dims : {&da, &db, &dc}) dims->insert(dims->begin(), batch);
    primitive_attr attributes;
    attributes.set_scratchpad_mode(scratchpad_mode::user);
    auto *s = new state_t;
    memory::desc scratch;
    memory::desc mine = given(da, ta, false);
    if (way == INNER) {
        memory::dims turned{n, k};
        memory::desc theirs(turned, tb, col ? tag::ab : tag::ba);
        inner_product_forward::primitive_desc found(cpu, prop_kind::forward_inference, mine, memory::desc(turned, tb, tag::any), given(dc, tc, false), attributes);
        s->weights = packed(theirs, found.weights_desc(), b);
        s->product = inner_product_forward(found);
        scratch = found.scratchpad_desc();
    } else {
        memory::desc theirs = given(db, tb, col);
        matmul::primitive_desc found(cpu, mine, way == PACKED ? memory::desc(db, tb, tag::any) : theirs, given(dc, tc, false), attributes);
        s->weights = packed(theirs, found.weights_desc(), b);
        s->product = matmul(found);
        scratch = found.scratchpad_desc();
    }
    s->arguments = {{DNNL_ARG_SRC, memory(mine, cpu, const_cast<void *>(a))}, {DNNL_ARG_WEIGHTS, s->weights}, {DNNL_ARG_DST, memory(given(dc, tc, false), cpu, c)}, {DNNL_ARG_SCRATCHPAD, memory(scratch, cpu)}};
    return s;
} catch (const error &) {
    return nullptr;
}

EXPORT void run(void *state)
{
    auto *s = static_cast<state_t *>(state);
    s->product.execute(queue, s->arguments);
}

EXPORT void done(void *state) { delete static_cast<state_t *>(state); }
LOOP
