/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Softmax of each row of [M, 4096] f32, as one would write it by hand.
 *
 * A workgroup of 256 lanes has one row, a lane four pieces of four columns: one read of 16
 * bytes each and one write.  The exponential is LLVM's, of about one unit in the last place,
 * and there is one quotient a row.
 *
 *	clang-22 -x c --target=amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -O3 -fno-math-errno
 *
 * Grid: x = M. */
typedef unsigned long u64;
typedef float quad __attribute__((ext_vector_type(4)));

#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
#define LANES 256
#define COLUMNS 4096
#define PIECES (COLUMNS / LANES / 4)
#if defined(__GFX9__)
#define WAVE 64
#else
#define WAVE 32
#endif
#define WAVES (LANES / WAVE)
#define MOVED(x, lanes) __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute( \
	(int)(__builtin_amdgcn_workitem_id_x() % WAVE ^ (lanes)) * 4, \
	__builtin_bit_cast(int, x)))
#define TURNED(x, control) __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(0, \
	__builtin_bit_cast(int, x), control, 15, 15, 1))

static inline __attribute__((always_inline)) float greater(float a, float b)
{
	return __builtin_fmaxf(a, b);
}

static inline __attribute__((always_inline)) float sum(float a, float b)
{
	return a + b;
}

/* Over the wave, then over the waves' values in the LDS. */
#define OVER_LANES(x, op, lds) ({ \
	float x_ = (x); \
	x_ = op(x_, TURNED(x_, 0xb1)); \
	x_ = op(x_, TURNED(x_, 0x4e)); \
	x_ = op(x_, TURNED(x_, 0x141)); \
	x_ = op(x_, TURNED(x_, 0x128)); \
	x_ = op(x_, MOVED(x_, 16)); \
	if (WAVE == 64) \
		x_ = op(x_, MOVED(x_, 32)); \
	lds[__builtin_amdgcn_workitem_id_x() / WAVE] = x_; \
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
	__builtin_amdgcn_s_barrier(); \
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
	x_ = lds[0]; \
	for (int w_ = 1; w_ < WAVES; w_++) \
		x_ = op(x_, lds[w_]); \
	x_; })

__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(LANES, LANES)))
void softmax(const GLOBAL quad *restrict source, GLOBAL quad *restrict destination, long m,
	long k)
{
	static LOCAL float tops[WAVES] __attribute__((loader_uninitialized));
	static LOCAL float sums[WAVES] __attribute__((loader_uninitialized));
	unsigned lane = __builtin_amdgcn_workitem_id_x();
	u64 row = (u64)__builtin_amdgcn_workgroup_id_x() * (COLUMNS / 4);
	float top, whole = 0, factor;
	quad x[PIECES];

	for (int i = 0; i < PIECES; i++)
		x[i] = source[row + lane + i * LANES];
	top = x[0][0];
	for (int i = 0; i < PIECES; i++)
		for (int e = 0; e < 4; e++)
			top = greater(top, x[i][e]);
	top = OVER_LANES(top, greater, tops);
	for (int i = 0; i < PIECES; i++)
		for (int e = 0; e < 4; e++) {
			x[i][e] = __builtin_expf(x[i][e] - top);
			whole += x[i][e];
		}
	factor = 1 / OVER_LANES(whole, sum, sums);
	for (int i = 0; i < PIECES; i++)
		destination[row + lane + i * LANES] = x[i] * factor;
	(void)m;
	(void)k;
}
