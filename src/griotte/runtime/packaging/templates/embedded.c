/* @digest@ */
#ifdef __APPLE__
__asm__(".section __TEXT,__const\n"
        ".p2align 14\n"
        ".globl _@name@\n"
        ".private_extern _@name@\n"
        "_@name@: .incbin \"weights.bin\"\n"
        ".text");
#else
__asm__(".pushsection .rodata\n"
        ".balign 4096\n"
        ".globl @name@\n"
        ".hidden @name@\n"
        "@name@: .incbin \"weights.bin\"\n"
        ".popsection");
#endif
