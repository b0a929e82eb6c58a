#define _GNU_SOURCE
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/mman.h>
typedef float f32x8 __attribute__((vector_size(32)));
#define INL static inline __attribute__((always_inline))
INL __m256 nib_old(__m256 c, const float *x, __m256i w, __m256 s)
{
    w = _mm256_xor_si256(w, _mm256_set1_epi32((int)0x88888888u));
#define V(k) _mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, k), 28))
    __m256 t0 = _mm256_mul_ps(V(28), _mm256_set1_ps(x[0])), t1 = _mm256_mul_ps(V(20), _mm256_set1_ps(x[1]));
    t0 = _mm256_fmadd_ps(V(12), _mm256_set1_ps(x[2]), t0);
    t1 = _mm256_fmadd_ps(V(4), _mm256_set1_ps(x[3]), t1);
    t0 = _mm256_fmadd_ps(V(24), _mm256_set1_ps(x[4]), t0);
    t1 = _mm256_fmadd_ps(V(16), _mm256_set1_ps(x[5]), t1);
    t0 = _mm256_fmadd_ps(V(8), _mm256_set1_ps(x[6]), t0);
    t1 = _mm256_fmadd_ps(V(0), _mm256_set1_ps(x[7]), t1);
    return _mm256_fmadd_ps(_mm256_add_ps(t0, t1), s, c);
}
#define G 128
#define NB 32
INL __m256 strided(const float *p, long st){ return (__m256)(f32x8){p[0],p[st],p[2*st],p[3*st],p[4*st],p[5*st],p[6*st],p[7*st]}; }
__attribute__((noinline)) void k_old(const float *restrict x, const uint32_t *restrict w, const float *restrict s, float *restrict y)
{ // scales as given, [32][128]
    __m256 c0=_mm256_setzero_ps(),c1=c0,c2=c0,c3=c0;
    for (int64_t g=0;g<G;g++){
#pragma GCC unroll 4
        for (int64_t i=0;i<32;i+=8){
            const float*xx=x+g*32+i; const uint32_t*p=w+g*128+i*4;
            __builtin_prefetch(p+2048);__builtin_prefetch(p+2064);
            c0=nib_old(c0,xx,_mm256_loadu_si256((void*)p),strided(s+g,128));
            c1=nib_old(c1,xx,_mm256_loadu_si256((void*)(p+8)),strided(s+g+1024,128));
            c2=nib_old(c2,xx,_mm256_loadu_si256((void*)(p+16)),strided(s+g+2048,128));
            c3=nib_old(c3,xx,_mm256_loadu_si256((void*)(p+24)),strided(s+g+3072,128));
        }}
    _mm256_storeu_ps(y,c0);_mm256_storeu_ps(y+8,c1);_mm256_storeu_ps(y+16,c2);_mm256_storeu_ps(y+24,c3);
}
__attribute__((noinline)) void k_oldp(const float *restrict x, const uint32_t *restrict w, const float *restrict s, float *restrict y)
{ // scales in panels of 32
    __m256 c0=_mm256_setzero_ps(),c1=c0,c2=c0,c3=c0;
    for (int64_t g=0;g<G;g++){
#pragma GCC unroll 4
        for (int64_t i=0;i<32;i+=8){
            const float*xx=x+g*32+i; const uint32_t*p=w+g*128+i*4;
            __builtin_prefetch(p+2048);__builtin_prefetch(p+2064);
            c0=nib_old(c0,xx,_mm256_loadu_si256((void*)p),_mm256_loadu_ps(s+g*32));
            c1=nib_old(c1,xx,_mm256_loadu_si256((void*)(p+8)),_mm256_loadu_ps(s+g*32+8));
            c2=nib_old(c2,xx,_mm256_loadu_si256((void*)(p+16)),_mm256_loadu_ps(s+g*32+16));
            c3=nib_old(c3,xx,_mm256_loadu_si256((void*)(p+24)),_mm256_loadu_ps(s+g*32+24));
        }}
    _mm256_storeu_ps(y,c0);_mm256_storeu_ps(y+8,c1);_mm256_storeu_ps(y+16,c2);_mm256_storeu_ps(y+24,c3);
}
// exact: signed by shifts, x spread once for 4 vectors, scale once a group
__attribute__((noinline)) void k_wide(const float *restrict x, const uint32_t *restrict w, const float *restrict s, float *restrict y)
{
    __m256 c0=_mm256_setzero_ps(),c1=c0,c2=c0,c3=c0;
    for (int64_t g=0;g<G;g++){
        __m256 t0=_mm256_setzero_ps(),t1=t0,t2=t0,t3=t0;
#pragma GCC unroll 4
        for (int64_t i=0;i<32;i+=8){
            const float*xx=x+g*32+i; const uint32_t*p=w+g*128+i*4;
            __builtin_prefetch(p+2048);__builtin_prefetch(p+2064);
            __m256i sg=_mm256_set1_epi32((int)0x88888888u);
            __m256i w0=_mm256_xor_si256(_mm256_loadu_si256((void*)p),sg),w1=_mm256_xor_si256(_mm256_loadu_si256((void*)(p+8)),sg),w2=_mm256_xor_si256(_mm256_loadu_si256((void*)(p+16)),sg),w3=_mm256_xor_si256(_mm256_loadu_si256((void*)(p+24)),sg);
#define W(k,w) _mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, k), 28))
#define S(j,k) {__m256 v=_mm256_set1_ps(xx[j]); t0=_mm256_fmadd_ps(W(k,w0),v,t0);t1=_mm256_fmadd_ps(W(k,w1),v,t1);t2=_mm256_fmadd_ps(W(k,w2),v,t2);t3=_mm256_fmadd_ps(W(k,w3),v,t3);}
            S(0,28)S(1,20)S(2,12)S(3,4)S(4,24)S(5,16)S(6,8)S(7,0)
#undef S
        }
        c0=_mm256_fmadd_ps(t0,_mm256_loadu_ps(s+g*32),c0);c1=_mm256_fmadd_ps(t1,_mm256_loadu_ps(s+g*32+8),c1);c2=_mm256_fmadd_ps(t2,_mm256_loadu_ps(s+g*32+16),c2);c3=_mm256_fmadd_ps(t3,_mm256_loadu_ps(s+g*32+24),c3);
    }
    _mm256_storeu_ps(y,c0);_mm256_storeu_ps(y+8,c1);_mm256_storeu_ps(y+16,c2);_mm256_storeu_ps(y+24,c3);
}
// masks: unsigned times x 2^-b, less 8 sum x
__attribute__((noinline)) void k_mask(const float *restrict x, const uint32_t *restrict w, const float *restrict s, float *restrict y)
{
    __m256 c0=_mm256_setzero_ps(),c1=c0,c2=c0,c3=c0;
    for (int64_t g=0;g<G;g++){
        __m256 t0=_mm256_setzero_ps(),t1=t0,t2=t0,t3=t0;
#pragma GCC unroll 4
        for (int64_t i=0;i<32;i+=8){
            const float*xx=x+g*32+i; const uint32_t*p=w+g*128+i*4;
            __builtin_prefetch(p+2048);__builtin_prefetch(p+2064);
            __m256i w0=_mm256_loadu_si256((void*)p),w1=_mm256_loadu_si256((void*)(p+8)),w2=_mm256_loadu_si256((void*)(p+16)),w3=_mm256_loadu_si256((void*)(p+24));
#define W2(m,w) _mm256_cvtepi32_ps(_mm256_and_si256(w, _mm256_set1_epi32(m)))
#define S(j,m) {__m256 v=_mm256_set1_ps(xx[j]); t0=_mm256_fmadd_ps(W2(m,w0),v,t0);t1=_mm256_fmadd_ps(W2(m,w1),v,t1);t2=_mm256_fmadd_ps(W2(m,w2),v,t2);t3=_mm256_fmadd_ps(W2(m,w3),v,t3);}
            S(0,15)S(1,15<<8)S(2,15<<16)S(3,15<<24)S(4,15<<4)S(5,15<<12)S(6,15<<20)S(7,(int)(15u<<28))
#undef S
        }
        c0=_mm256_fmadd_ps(t0,_mm256_loadu_ps(s+g*32),c0);c1=_mm256_fmadd_ps(t1,_mm256_loadu_ps(s+g*32+8),c1);c2=_mm256_fmadd_ps(t2,_mm256_loadu_ps(s+g*32+16),c2);c3=_mm256_fmadd_ps(t3,_mm256_loadu_ps(s+g*32+24),c3);
    }
    _mm256_storeu_ps(y,c0);_mm256_storeu_ps(y+8,c1);_mm256_storeu_ps(y+16,c2);_mm256_storeu_ps(y+24,c3);
}

typedef struct { __m256 x[8]; } xs8;
INL xs8 xs_at(const float *x){ xs8 r; for(int i=0;i<8;i++) r.x[i]=_mm256_set1_ps(x[i]); return r; }
INL __m256 nib_made(__m256 c, xs8 x, __m256i w, __m256 s)
{
    w = _mm256_xor_si256(w, _mm256_set1_epi32((int)0x88888888u));
    __m256 t0 = _mm256_mul_ps(V(28), x.x[0]), t1 = _mm256_mul_ps(V(20), x.x[1]);
    t0 = _mm256_fmadd_ps(V(12), x.x[2], t0);
    t1 = _mm256_fmadd_ps(V(4), x.x[3], t1);
    t0 = _mm256_fmadd_ps(V(24), x.x[4], t0);
    t1 = _mm256_fmadd_ps(V(16), x.x[5], t1);
    t0 = _mm256_fmadd_ps(V(8), x.x[6], t0);
    t1 = _mm256_fmadd_ps(V(0), x.x[7], t1);
    return _mm256_fmadd_ps(_mm256_add_ps(t0, t1), s, c);
}

INL __m256 nib_one(__m256 c, xs8 x, __m256i w, __m256 s)
{
    w = _mm256_xor_si256(w, _mm256_set1_epi32((int)0x88888888u));
    __m256i m=_mm256_set1_epi32((int)0xf0000000u);
#define VA(k) _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_slli_epi32(w, k), m))
    __m256 t0 = _mm256_mul_ps(VA(28), x.x[0]), t1 = _mm256_mul_ps(VA(20), x.x[1]);
    t0 = _mm256_fmadd_ps(VA(12), x.x[2], t0);
    t1 = _mm256_fmadd_ps(VA(4), x.x[3], t1);
    t0 = _mm256_fmadd_ps(VA(24), x.x[4], t0);
    t1 = _mm256_fmadd_ps(VA(16), x.x[5], t1);
    t0 = _mm256_fmadd_ps(VA(8), x.x[6], t0);
    t1 = _mm256_fmadd_ps(VA(0), x.x[7], t1);
    return _mm256_fmadd_ps(_mm256_add_ps(t0, t1), s, c);
}

__attribute__((noinline)) void k_made(const float *restrict x, const uint32_t *restrict w, const float *restrict s, float *restrict y)
{
    __m256 c0=_mm256_setzero_ps(),c1=c0,c2=c0,c3=c0;
    for (int64_t g=0;g<G;g++){
#pragma GCC unroll 4
        for (int64_t i=0;i<32;i+=8){
            const xs8 xx=xs_at(x+g*32+i); const uint32_t*p=w+g*128+i*4;
            __builtin_prefetch(p+2048);__builtin_prefetch(p+2064);
            c0=nib_made(c0,xx,_mm256_loadu_si256((void*)p),_mm256_loadu_ps(s+g*32));
            c1=nib_made(c1,xx,_mm256_loadu_si256((void*)(p+8)),_mm256_loadu_ps(s+g*32+8));
            c2=nib_made(c2,xx,_mm256_loadu_si256((void*)(p+16)),_mm256_loadu_ps(s+g*32+16));
            c3=nib_made(c3,xx,_mm256_loadu_si256((void*)(p+24)),_mm256_loadu_ps(s+g*32+24));
        }}
    _mm256_storeu_ps(y,c0);_mm256_storeu_ps(y+8,c1);_mm256_storeu_ps(y+16,c2);_mm256_storeu_ps(y+24,c3);
}

__attribute__((noinline)) void k_top(const float *restrict x, const uint32_t *restrict w, const float *restrict s, float *restrict y)
{
    __m256 c0=_mm256_setzero_ps(),c1=c0,c2=c0,c3=c0;
    for (int64_t g=0;g<G;g++){
#pragma GCC unroll 4
        for (int64_t i=0;i<32;i+=8){
            const xs8 xx=xs_at(x+g*32+i); const uint32_t*p=w+g*128+i*4;
            __builtin_prefetch(p+2048);__builtin_prefetch(p+2064);
            c0=nib_one(c0,xx,_mm256_loadu_si256((void*)p),_mm256_loadu_ps(s+g*32));
            c1=nib_one(c1,xx,_mm256_loadu_si256((void*)(p+8)),_mm256_loadu_ps(s+g*32+8));
            c2=nib_one(c2,xx,_mm256_loadu_si256((void*)(p+16)),_mm256_loadu_ps(s+g*32+16));
            c3=nib_one(c3,xx,_mm256_loadu_si256((void*)(p+24)),_mm256_loadu_ps(s+g*32+24));
        }}
    _mm256_storeu_ps(y,c0);_mm256_storeu_ps(y+8,c1);_mm256_storeu_ps(y+16,c2);_mm256_storeu_ps(y+24,c3);
}

INL __m256 nib_single(__m256 c, const float *x, __m256i w, __m256 s)
{
    w = _mm256_xor_si256(w, _mm256_set1_epi32((int)0x88888888u));
    __m256 t0 = _mm256_mul_ps(V(28), _mm256_set1_ps(x[0]));
    t0 = _mm256_fmadd_ps(V(20), _mm256_set1_ps(x[1]),t0);
    t0 = _mm256_fmadd_ps(V(12), _mm256_set1_ps(x[2]), t0);
    t0 = _mm256_fmadd_ps(V(4), _mm256_set1_ps(x[3]), t0);
    t0 = _mm256_fmadd_ps(V(24), _mm256_set1_ps(x[4]), t0);
    t0 = _mm256_fmadd_ps(V(16), _mm256_set1_ps(x[5]), t0);
    t0 = _mm256_fmadd_ps(V(8), _mm256_set1_ps(x[6]), t0);
    t0 = _mm256_fmadd_ps(V(0), _mm256_set1_ps(x[7]), t0);
    return _mm256_fmadd_ps(t0, s, c);
}

INL __m256 nib_shuf(__m256 c, const float *x, __m256i w, __m256 s)
{
    w = _mm256_xor_si256(w, _mm256_set1_epi32((int)0x88888888u));
    const __m256i m=_mm256_set1_epi32((int)0xf0f0f0f0u);
    __m256i e=_mm256_and_si256(_mm256_slli_epi32(w,4),m), o=_mm256_and_si256(w,m);
#define BY(v,j) _mm256_cvtepi32_ps(j==3?_mm256_and_si256(v,_mm256_set1_epi32((int)0xff000000u)):j==0?_mm256_slli_epi32(v,24):_mm256_shuffle_epi8(v,_mm256_setr_epi8(-1,-1,-1,j,-1,-1,-1,4+j,-1,-1,-1,8+j,-1,-1,-1,12+j,-1,-1,-1,j,-1,-1,-1,4+j,-1,-1,-1,8+j,-1,-1,-1,12+j)))
    __m256 t0 = _mm256_mul_ps(BY(e,0), _mm256_set1_ps(x[0]));
    t0 = _mm256_fmadd_ps(BY(e,1), _mm256_set1_ps(x[1]),t0);
    t0 = _mm256_fmadd_ps(BY(e,2), _mm256_set1_ps(x[2]), t0);
    t0 = _mm256_fmadd_ps(BY(e,3), _mm256_set1_ps(x[3]), t0);
    t0 = _mm256_fmadd_ps(BY(o,0), _mm256_set1_ps(x[4]), t0);
    t0 = _mm256_fmadd_ps(BY(o,1), _mm256_set1_ps(x[5]), t0);
    t0 = _mm256_fmadd_ps(BY(o,2), _mm256_set1_ps(x[6]), t0);
    t0 = _mm256_fmadd_ps(BY(o,3), _mm256_set1_ps(x[7]), t0);
    return _mm256_fmadd_ps(t0, s, c);
}

__attribute__((noinline)) void k_single(const float *restrict x, const uint32_t *restrict w, const float *restrict s, float *restrict y)
{
    __m256 c0=_mm256_setzero_ps(),c1=c0,c2=c0,c3=c0;
    for (int64_t g=0;g<G;g++){
#pragma GCC unroll 4
        for (int64_t i=0;i<32;i+=8){
            const float*xx=x+g*32+i; const uint32_t*p=w+g*128+i*4;
            __builtin_prefetch(p+2048);__builtin_prefetch(p+2064);
            c0=nib_single(c0,xx,_mm256_loadu_si256((void*)p),_mm256_loadu_ps(s+g*32));
            c1=nib_single(c1,xx,_mm256_loadu_si256((void*)(p+8)),_mm256_loadu_ps(s+g*32+8));
            c2=nib_single(c2,xx,_mm256_loadu_si256((void*)(p+16)),_mm256_loadu_ps(s+g*32+16));
            c3=nib_single(c3,xx,_mm256_loadu_si256((void*)(p+24)),_mm256_loadu_ps(s+g*32+24));
        }}
    _mm256_storeu_ps(y,c0);_mm256_storeu_ps(y+8,c1);_mm256_storeu_ps(y+16,c2);_mm256_storeu_ps(y+24,c3);
}

__attribute__((noinline)) void k_shuf(const float *restrict x, const uint32_t *restrict w, const float *restrict s, float *restrict y)
{
    __m256 c0=_mm256_setzero_ps(),c1=c0,c2=c0,c3=c0;
    for (int64_t g=0;g<G;g++){
#pragma GCC unroll 4
        for (int64_t i=0;i<32;i+=8){
            const float*xx=x+g*32+i; const uint32_t*p=w+g*128+i*4;
            __builtin_prefetch(p+2048);__builtin_prefetch(p+2064);
            c0=nib_shuf(c0,xx,_mm256_loadu_si256((void*)p),_mm256_loadu_ps(s+g*32));
            c1=nib_shuf(c1,xx,_mm256_loadu_si256((void*)(p+8)),_mm256_loadu_ps(s+g*32+8));
            c2=nib_shuf(c2,xx,_mm256_loadu_si256((void*)(p+16)),_mm256_loadu_ps(s+g*32+16));
            c3=nib_shuf(c3,xx,_mm256_loadu_si256((void*)(p+24)),_mm256_loadu_ps(s+g*32+24));
        }}
    _mm256_storeu_ps(y,c0);_mm256_storeu_ps(y+8,c1);_mm256_storeu_ps(y+16,c2);_mm256_storeu_ps(y+24,c3);
}
// masked where they are, 8 of that place taken off as whole numbers: any of four ports for both
__attribute__((noinline)) void k_sub(const float *restrict x, const uint32_t *restrict w, const float *restrict s, float *restrict y)
{
    __m256 c0=_mm256_setzero_ps(),c1=c0,c2=c0,c3=c0;
    for (int64_t g=0;g<G;g++){
        __m256 t0=_mm256_setzero_ps(),t1=t0,t2=t0,t3=t0;
#pragma GCC unroll 4
        for (int64_t i=0;i<32;i+=8){
            const float*xx=x+g*32+i; const uint32_t*p=w+g*128+i*4;
            __builtin_prefetch(p+2048);__builtin_prefetch(p+2064);
            __m256i w0=_mm256_loadu_si256((void*)p),w1=_mm256_loadu_si256((void*)(p+8)),w2=_mm256_loadu_si256((void*)(p+16)),w3=_mm256_loadu_si256((void*)(p+24));
#define W3(m,w) _mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_and_si256(w, _mm256_set1_epi32(m)), _mm256_set1_epi32((int)((unsigned)(m)/15u*8u))))
#define S(j,m) {__m256 v=_mm256_set1_ps(xx[j]); t0=_mm256_fmadd_ps(W3(m,w0),v,t0);t1=_mm256_fmadd_ps(W3(m,w1),v,t1);t2=_mm256_fmadd_ps(W3(m,w2),v,t2);t3=_mm256_fmadd_ps(W3(m,w3),v,t3);}
            S(0,15)S(1,15<<8)S(2,15<<16)S(3,15<<24)S(4,15<<4)S(5,15<<12)S(6,15<<20)S(7,(int)(15u<<28))
#undef S
        }
        c0=_mm256_fmadd_ps(t0,_mm256_loadu_ps(s+g*32),c0);c1=_mm256_fmadd_ps(t1,_mm256_loadu_ps(s+g*32+8),c1);c2=_mm256_fmadd_ps(t2,_mm256_loadu_ps(s+g*32+16),c2);c3=_mm256_fmadd_ps(t3,_mm256_loadu_ps(s+g*32+24),c3);
    }
    _mm256_storeu_ps(y,c0);_mm256_storeu_ps(y+8,c1);_mm256_storeu_ps(y+16,c2);_mm256_storeu_ps(y+24,c3);
}
__attribute__((noinline)) float plain(const float *p, long n){ __m256 a[8]; for(int i=0;i<8;i++)a[i]=_mm256_setzero_ps(); for(long i=0;i<n;i+=64) for(int j=0;j<8;j++) a[j]=_mm256_add_ps(a[j],_mm256_loadu_ps(p+i+8*j)); for(int j=1;j<8;j++)a[0]=_mm256_add_ps(a[0],a[j]); return a[0][0]+a[0][1]+a[0][7]; }
static double now(void){struct timespec t;clock_gettime(CLOCK_MONOTONIC,&t);return t.tv_sec+1e-9*t.tv_nsec;}
int main(int c,char**v){ long copies=c>1?atol(v[1]):1, rounds=c>2?atol(v[2]):9; 
  long words=4096L*512, sc=4096L*128; size_t bytes=(words+sc)*4;
  char*all=mmap(0,bytes*copies+(2<<20),3,MAP_PRIVATE|MAP_ANONYMOUS,-1,0); madvise(all,bytes*copies,MADV_HUGEPAGE); all=(char*)(((uintptr_t)all+(2<<20)-1)&~(uintptr_t)((2<<20)-1));
  for(size_t i=0;i<bytes*copies/4;i++){((uint32_t*)all)[i]=(i%(bytes/4))<(size_t)words?(uint32_t)rand()*2654435761u:0x3c000000;}
  float*x=aligned_alloc(64,4096*4),*y=aligned_alloc(64,4096*4); for(int i=0;i<4096;i++)x[i]=(rand()%1000)/500.f-1;
  void(*f[])(const float*,const uint32_t*,const float*,float*)={k_old,k_oldp,k_wide,k_mask,k_made,k_top,k_single,k_shuf,k_sub}; const char*n[]={"as given","panels","wide","mask","made","top","single","shuf","sub"};
  double best[12]; for(int i=0;i<12;i++)best[i]=1e9; volatile float sink=0;
  for(int r=0;r<rounds;r++) for(int k=0;k<10;k++) for(long cp=0;cp<copies;cp++){ uint32_t*w=(uint32_t*)(all+bytes*cp); float*s=(float*)(w+words); double t=now();
     if(k==9) sink+=plain((float*)w,(words+sc)); else for(int b=0;b<128;b++) f[k](x,w+b*16384,s+b*4096,y+b*32);
     t=now()-t; if(copies>1){ /* sum */ } if(t<best[k])best[k]=t; }
  for(int k=0;k<10;k++) printf("%-9s %8.1f us  %6.2f GB/s  share %.3f\n",k==9?"sum":n[k],best[k]*1e6,bytes/best[k]/1e9,best[9]/best[k]);
}
