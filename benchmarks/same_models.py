"""Models of same.py, as text: a few parts each, so that all of them are cut and searched in minutes.

Each kind of network and each custom kernel is there; CLOSED have all sizes, of OPEN one is known up to a bound.
"""

from __future__ import annotations

WEIGHTS = ",".join(str((37 * i % 61 - 30) / 512) for i in range(64 * 64 * 9))  # where data decides what may be done

CLOSED = {
    "residual": """model(%x: f32[1,3,16,16], %w0: const f32[8,3,3,3], %b0: const f32[8,1,1], %w1: const f32[8,8,3,3],
      %b1: const f32[8,1,1], %w2: const f32[8,8,3,3], %w3: const f32[8,5], %b3: const f32[5]) {
      %a = relu(add(conv2d(%x, %w0, padding=1), %b0))
      %b = relu(add(conv2d(%a, %w1, padding=1), %b1))
      %c = relu(add(conv2d(%b, %w2, padding=1), %a))
      %d = max_pool2d(%c, window=2, stride=2)
      %e = reshape(mean(%d, axis=(2,3))) -> f32[1,8]
      %f = add(matmul(%e, %w3), %b3)
      return y=%f }""",
    "stem": """model(%x: f32[1,3,32,32], %w: const f32[16,3,7,7], %scale: const f32[16], %shift: const f32[16],
      %mean: const f32[16], %var: const f32[16]) {
      %a = conv2d(%x, %w, stride=2, padding=3)
      %b = relu(batch_norm(%a, %scale, %shift, %mean, %var))
      %c = max_pool2d(%b, window=3, stride=2, padding=1)
      return y=%c }""",
    "mobile": """model(%x: f32[1,8,14,14], %w0: const f32[24,8,1,1], %w1: const f32[24,1,3,3], %w2: const f32[6,24],
      %w3: const f32[6,24], %w4: const f32[8,24,1,1]) {
      %a = hard_swish(conv2d(%x, %w0))
      %b = hard_swish(conv2d(%a, %w1, padding=1, groups=24))
      %c = reshape(mean(%b, axis=(2,3))) -> f32[1,24]
      %d = relu(matmul(%c, transpose(%w2, perm=(1,0))))
      %e = hard_sigmoid(matmul(%d, %w3))
      %f = mul(%b, reshape(%e) -> f32[1,24,1,1])
      %g = add(conv2d(%f, %w4), %x)
      return y=%g }""",
    "winograd": """model(%x: f32[1,64,28,28], %w0: const f32[64,64,3,3] = WEIGHTS,
      %w1: const f32[64,64,3,3] = WEIGHTS, %b: const f32[64,1,1]) {
      %a = relu(add(conv2d(%x, %w0, padding=1), %b))
      %c = relu(conv2d(%a, %w1, padding=1))
      return y=%c }""".replace("WEIGHTS", f"({WEIGHTS})"),
    "branches": """model(%x: f32[1,8,12,12], %w0: const f32[8,8,1,1], %w1: const f32[8,8,3,3],
      %w2: const f32[4,8,1,1]) {
      %a = relu(conv2d(%x, %w0))
      %b = relu(conv2d(%x, %w1, padding=1))
      %c = conv2d(max_pool2d(%x, window=3, stride=1, padding=1), %w2)
      %d = concat(%a, %b, %c, axis=1)
      return y=%d }""",
    "wide pools": """model(%x: f32[1,16,24,24], %w: const f32[8,16,1,1]) {
      %a = max_pool2d(%x, window=9, stride=1, padding=4)
      %b = avg_pool2d(%a, window=7, stride=1, padding=3)
      %c = conv2d(%b, %w)
      return y=%c }""",
    "upward": """model(%x: f32[1,8,8,8], %w: const f32[8,4,2,2], %v: const f32[4,4,3,3]) {
      %a = conv_transpose2d(%x, %w, stride=2)
      %b = relu(conv2d(%a, %v, padding=1))
      %c = sigmoid(resize(%b, size=(32,32)))
      return y=%c }""",
    "dense": """model(%x: f32[5,40], %w0: const f32[40,64], %b0: const f32[64], %w1: const f32[64,30],
      %b1: const f32[30]) {
      %a = gelu(add(matmul(%x, %w0), %b0))
      %b = softmax(add(matmul(%a, %w1), %b1))
      return y=%b }""",
    "encoder": """model(%x: f32[12,32], %wq: const f32[32,32], %wk: const f32[32,32], %wv: const f32[32,32],
      %wo: const f32[32,32], %g0: const f32[32], %b0: const f32[32], %w0: const f32[32,96], %w1: const f32[96,32],
      %g1: const f32[32], %b1: const f32[32]) {
      %q = transpose(reshape(matmul(%x, %wq)) -> f32[12,4,8], perm=(1,0,2))
      %k = transpose(reshape(matmul(%x, %wk)) -> f32[12,4,8], perm=(1,0,2))
      %v = transpose(reshape(matmul(%x, %wv)) -> f32[12,4,8], perm=(1,0,2))
      %a = attention(%q, %k, %v)
      %o = matmul(reshape(transpose(%a, perm=(1,0,2))) -> f32[12,32], %wo)
      %h = layer_norm(add(%o, %x), %g0, %b0)
      %f = matmul(gelu(matmul(%h, %w0)), %w1)
      %y = layer_norm(add(%f, %h), %g1, %b1)
      return y=%y }""",
    "decoder step": """model(%x: f32[1,32], %past_k: f32[4,15,8], %past_v: f32[4,15,8], %cos: f32[1,4], %sin: f32[1,4],
      %wq: const f32[32,32], %wk: const f32[32,32], %wv: const f32[32,32], %g: const f32[32]) {
      %n = rms_norm(%x, %g)
      %q = rope(reshape(matmul(%n, %wq)) -> f32[4,1,8], %cos, %sin)
      %k = rope(reshape(matmul(%n, %wk)) -> f32[4,1,8], %cos, %sin)
      %v = reshape(matmul(%n, %wv)) -> f32[4,1,8]
      %keys = concat(%past_k, %k, axis=1)
      %values = concat(%past_v, %v, axis=1)
      %a = attention(%q, %keys, %values)
      return y=%a, k=%keys, v=%values }""",
    "gated": """model(%x: f32[9,32], %g: const f32[32], %w0: const f32[32,64], %w1: const f32[32,64],
      %w2: const f32[64,32]) {
      %n = rms_norm(%x, %g)
      %h = mul(silu(matmul(%n, %w0)), matmul(%n, %w1))
      %y = add(matmul(%h, %w2), %x)
      return y=%y }""",
    "causal": """model(%q: f32[2,48,8], %k: f32[2,48,8], %v: f32[2,48,8]) {
      %a = attention(%q, %k, %v, causal=True)
      %b = argmax(%a, axis=2)
      return y=%a, best=%b }""",
    "embedding": """model(%i: s64[10], %table: const f32[50,24], %g: const f32[24], %b: const f32[24],
      %w: const f32[24,24]) {
      %a = layer_norm(take(%table, %i), %g, %b)
      %y = tanh(matmul(%a, %w))
      return y=%y }""",
    "quantised conv": """model(%x: u8[1,4,12,12], %xs: f32[], %w: const s8[8,4,3,3], %ws: const f32[8], %ys: f32[]) {
      %a = qconv2d(%x, %xs, 128, %w, %ws, 0, %ys, 128, padding=1)
      %b = dequantize(%a, %ys, 128)
      return y=%b }""",
    "quantised dense": """model(%x: f32[6,64], %xs: f32[], %w: const s8[64,48], %ws: const f32[48], %ys: f32[]) {
      %q = quantize(%x, %xs, 128) -> u8[6,64]
      %a = qmatmul(%q, %xs, 128, %w, %ws, 0, %ys, 128)
      %y = relu(dequantize(%a, %ys, 128))
      return y=%y }""",
    "four bits": """model(%x: f32[1,64], %w: const s4[48,2,32], %s: const f32[48,2], %g: const f32[64]) {
      %y = group_matmul(rms_norm(%x, %g), %w, %s)
      return y=%y }""",
    "bf16": """model(%x: bf16[8,64], %w0: const bf16[64,96], %w1: const bf16[96,64], %g: const bf16[64]) {
      %a = matmul(relu(matmul(%x, %w0)), %w1)
      %y = rms_norm(add(%a, %x), %g)
      return y=%y }""",
    "recurrent": """model(%xs: f32[6,16], %h0: f32[24], %w: const f32[16,24], %u: const f32[24,24], %b: const f32[24]) {
      %last, %ys = scan(trips=6, carry %h: f32[24] = %h0, each %x: f32[16] = %xs, same %w: f32[16,24] = %w,
        same %u: f32[24,24] = %u, same %b: f32[24] = %b) {
        %i = reshape(matmul(reshape(%x) -> f32[1,16], %w)) -> f32[24]
        %r = reshape(matmul(reshape(%h) -> f32[1,24], %u)) -> f32[24]
        %n = tanh(add(add(%i, %r), %b))
        next %n
        rows %n
      }
      return last=%last, ys=%ys }""",
    "gates in a loop": """model(%xs: f32[4,32], %h0: f32[8], %c0: f32[8], %u: const f32[8,32]) {
      %h, %c, %ys = scan(trips=4, carry %h: f32[8] = %h0, carry %c: f32[8] = %c0, each %x: f32[32] = %xs,
        same %u: f32[8,32] = %u) {
        %g = add(%x, reshape(matmul(reshape(%h) -> f32[1,8], %u)) -> f32[32])
        %i = sigmoid(slice(%g, starts=(0,), limits=(8,)))
        %f = sigmoid(slice(%g, starts=(8,), limits=(16,)))
        %o = sigmoid(slice(%g, starts=(16,), limits=(24,)))
        %z = tanh(slice(%g, starts=(24,), limits=(32,)))
        %n = add(mul(%f, %c), mul(%i, %z))
        %m = mul(%o, tanh(%n))
        next %m, %n
        rows %m
      }
      return h=%h, c=%c, ys=%ys }""",
    "ranked": """model(%x: f32[4,40], %w: const f32[40,40]) {
      %a = matmul(%x, %w)
      %v, %i = top(%a, k=5)
      %y = exp(%v)
      return y=%y, i=%i }""",
}
OPEN = {
    "open batch": """model(%x: f32[<=16,40], %w0: const f32[40,64], %b0: const f32[64], %w1: const f32[64,30]) {
      %a = relu(add(matmul(%x, %w0), %b0))
      %y = softmax(matmul(%a, %w1))
      return y=%y }""",
    "open images": """model(%x: f32[<=4,3,12,12], %w: const f32[8,3,3,3], %v: const f32[8,5]) {
      %a = relu(conv2d(%x, %w, padding=1))
      %y = matmul(mean(%a, axis=(2,3)), %v)
      return y=%y }""",
    "open rows": """model(%x: f32[<=24,32], %g: const f32[32], %b: const f32[32], %w: const f32[32,32]) {
      %h = layer_norm(%x, %g, %b)
      %y = add(matmul(%h, %w), %x)
      return y=%y }""",
}
