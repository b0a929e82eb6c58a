"""Specs of what is quantised, and of floats of 16 bits, that are run in the emulator."""

QUANTISED = (
    "qmatmul(u8[5,33], f32[], 0, const s8[33,17], f32[], 0, f32[], u8[])",
    "qmatmul(u8[9,40], f32[], 7, const s8[40,33], f32[33], 0, f32[], 128)",
    "qmatmul(u8[5,67], f32[], u8[], s8[67,9], f32[9], s8[], f32[], u8[])",
    "qmatmul(u8[7,64], f32[], u8[], const u8[64,40], f32[], u8[], f32[], u8[])",
    "qconv2d(u8[1,4,5,5], f32[], 128, const s8[9,4,3,3], f32[9], 0, f32[], 128, padding=1)",
    "qconv2d(u8[1,32,9,9], f32[], u8[], const s8[8,32,3,3], f32[], 0, f32[], 1)",
    "qconv2d(u8[1,4,5,7]{1,3,2,0}, f32[], u8[], const s8[6,2,3,3], f32[6], s8[], f32[], u8[], stride=2, padding=1,"
    " groups=2, bias=s32[6])",
    "requantize(conv2d(u8[1,8,5,6], const s8[6,8,3,3], padding=1), f32[6,1,1], s8[])",
    "requantize(matmul(u8[16,64], s8[64,32]), f32[32], u8[])",
    "dequantize(requantize(matmul(s8[5,40], s8[40,33]), f32[], s8[]), f32[33], s8[])",
    "group_matmul(f32[2,64], const s4[24,2,32], const f32[24,2], activations=s8)",
    "quantize(softmax(f32[7,37]), f32[], 0) -> u8[7,37]",
)
"""Products and convolutions of 8 bits with zeros and scales, rounded to 8 bits again."""

PRODUCTS = (
    "matmul(u8[37,64], s8[64,40]) -> s32[37,40]",
    "matmul(s8[37,63], const s8[63,40]) -> s32[37,40]",
    "matmul(u8[37,64], const u8[64,40]) -> s32[37,40]",
    "matmul(s8[7,64], const u8[64,40]) -> s32[7,40]",
    "matmul(bf16[37,66], const bf16[66,40])",
    "matmul(f16[37,66], f16[66,40])",
    "matmul(f64[37,66], f64[66,40])",
    "matmul(f32[3,1001], f32[1001,13])",
)
"""Of dtypes that have kernels of their own."""

TOGETHER = (
    "matmul(f32[97,64], f32[64,80])",
    "matmul(softmax(matmul(f32[40,50], f32[50,60])), f32[60,30])",
    "conv2d(f32[1,16,20,23], const f32[24,16,3,3], padding=1)",
    "attention(f32[2,4,33,16], f32[2,4,40,16], f32[2,4,40,16])",
    "layer_norm(f32[65,129], f32[129], f32[129])",
    "softmax(f32[1,9000])",
    "sum(f32[70000])",
    "qmatmul(u8[64,96], f32[], 7, const s8[96,128], f32[128], 0, f32[], 128)",
    "transpose(f32[300,257])",
    "matmul(bf16[<=48,96], const bf16[96,96])",
)
"""Work for two threads."""
