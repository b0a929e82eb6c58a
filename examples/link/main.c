/* A C program that runs a saved kernel: no Python, no griotte, only its header and its library.
 *
 *   griotte compile "matmul(f32[4,8], f32[8,3])" --target portable -o kernel
 *   cc main.c -Ikernel kernel/kernel.so -o link && ./link
 */
#include <stdio.h>

#include "kernel.h"

int main(void)
{
    float a[4][8], b[8][3], c[4][3];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 8; k++) a[i][k] = (float)(i + k);
    for (int k = 0; k < 8; k++)
        for (int j = 0; j < 3; j++) b[k][j] = (float)(k * j);
    KERNEL(&a[0][0], &b[0][0], &c[0][0]); /* the function that kernel.h declares */
    for (int i = 0; i < 4; i++) printf("%g %g %g\n", c[i][0], c[i][1], c[i][2]);
    return 0;
}
