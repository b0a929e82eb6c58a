__asm__(".pushsection .rodata\n"
        ".balign 4096\n"
        ".globl @name@\n"
        ".hidden @name@\n"
        "@name@: .incbin \"weights.bin\"\n"
        ".popsection");
