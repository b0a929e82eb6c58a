// Cycles of a row of a window: an image in blocks of L channels is copied into a border of zeros.
//   for l in 16 8 3; do gcc -O3 -march=native -DL=$l docs/lab/blocks/rows.c -o rows && ./rows; done
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <immintrin.h>
#ifndef L
#define L 16
#endif
static inline void one(const float*x,float*b,int H,int W,int p,int64_t start){
  for(int64_t y=0;y<H+2*p;y++) for(int64_t q=0;q<W+2*p;q++){
    float*const t=b+(y*(W+2*p)+q)*L;
    if(((y+start)>=0&&(y+start)<H)&&((q+start)>=0&&(q+start)<W)){
      const float*const s=x+((y+start)*W+(q+start))*L;
      _mm512_mask_storeu_ps(t,(1u<<L)-1,_mm512_maskz_loadu_ps((1u<<L)-1,s));
    } else for(int64_t j=0;j<L;j++) t[j]=0;
  }
}
__attribute__((noinline)) void run(const float*x,float*b,int n,int H,int W,int p){
  for(int i=0;i<n;i++) one(x+(int64_t)i*H*W*L,b,H,W,p,-p);
}
int main(){ int c[][4]={{60,7,7,2},{9,28,28,2},{15,14,14,1},{4,112,112,1},{42,14,14,2}};
 float*x=aligned_alloc(64,64<<20),*b=aligned_alloc(64,4<<20); for(long i=0;i<(16<<20);i++)x[i]=i;
 for(int k=0;k<5;k++){ double best=1e9; for(int r=0;r<300;r++){struct timespec a,e;clock_gettime(CLOCK_MONOTONIC,&a);run(x,b,c[k][0],c[k][1],c[k][2],c[k][3]);clock_gettime(CLOCK_MONOTONIC,&e);double t=(e.tv_sec-a.tv_sec)*1e9+e.tv_nsec-a.tv_nsec;if(t<best)best=t;}
  double rows=c[k][0]*(double)(c[k][1]+2*c[k][3])*(c[k][2]+2*c[k][3]); printf("%d lanes %d: %.2f cycles a row (3.7 GHz)\n",L,c[k][1],best*3.7/rows);}
}
