/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* C = A transposed(B) of [M, K] and [N, K] f16 with sums in f32, as one would write it by hand:
 * tiles of 128 x 128 x 64 through the LDS.
 *
 * Four waves have 64 x 64 of the tile each.  A step's rows are loaded while the step before is
 * multiplied, and put into one of two halves of the LDS, 16 bytes a lane, chunks of a row XORed
 * with its number, so that neither puts nor gets meet in a bank; one barrier a step.  M and N
 * are multiples of 128, K one of 64.
 *
 *	clang-22 -x c --target=amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -O3
 *
 * Grid: x = N / 128, y = M / 128. */
typedef _Float16 half;
typedef half half4 __attribute__((ext_vector_type(4)));
typedef half half8 __attribute__((ext_vector_type(8)));
typedef float float4 __attribute__((ext_vector_type(4)));

#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
#define INLINE static inline __attribute__((always_inline))
#define LANES 256
#define TILE 128
#define STEP 64
#define CHUNKS (STEP / 8)
#define PIECES (TILE * CHUNKS / LANES)

/* Chunk "chunk" of a row. */
INLINE unsigned place(unsigned row, unsigned chunk)
{
	return row * CHUNKS + (chunk ^ row % CHUNKS);
}

INLINE void load(const GLOBAL half8 *from, long pitch, half8 to[PIECES])
{
	for (int i = 0; i < PIECES; i++)
		to[i] = from[(long)i * (LANES / CHUNKS) * pitch];
}

INLINE void put(LOCAL half8 *lds, const half8 from[PIECES])
{
	unsigned lane = __builtin_amdgcn_workitem_id_x();

	for (int i = 0; i < PIECES; i++)
		lds[place(lane / CHUNKS + (unsigned)i * (LANES / CHUNKS), lane % CHUNKS)] =
			from[i];
}

INLINE void barrier(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
}

INLINE half4 half_of(half8 x, int high)
{
	return high ? x.hi : x.lo;
}

/* The sums of a wave: what a lane gets of A goes second, so that it has what C has in a row. */
INLINE void multiply(const LOCAL half8 *a, const LOCAL half8 *b, float4 sums[4][4])
{
	unsigned lane = __builtin_amdgcn_workitem_id_x() % 64;
	unsigned wave = __builtin_amdgcn_workitem_id_x() / 64;

	for (unsigned part = 0; part < 2; part++) {
		half8 x[4], y[4];

		for (unsigned i = 0; i < 4; i++) {
			x[i] = a[place(wave / 2 * 64 + i * 16 + lane % 16, part * 4 + lane / 16)];
			y[i] = b[place(wave % 2 * 64 + i * 16 + lane % 16, part * 4 + lane / 16)];
		}
		for (int high = 0; high < 2; high++)
			for (int i = 0; i < 4; i++)
				for (int j = 0; j < 4; j++)
					sums[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(
						half_of(y[j], high), half_of(x[i], high),
						sums[i][j], 0, 0, 0);
	}
}

__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(LANES, LANES)))
void matmul_lds(const GLOBAL half8 *restrict a, const GLOBAL half8 *restrict b,
	GLOBAL float4 *restrict c, long m, long k, long n)
{
	static LOCAL half8 lds[2][2][TILE * CHUNKS] __attribute__((loader_uninitialized));
	unsigned lane = __builtin_amdgcn_workitem_id_x(), wave = lane / 64;
	unsigned column = __builtin_amdgcn_workgroup_id_x() * TILE;
	unsigned row = __builtin_amdgcn_workgroup_id_y() * TILE;
	long pitch = k / 8, steps = k / STEP;
	half8 x[PIECES], y[PIECES];
	float4 sums[4][4] = { 0 };

	a += (row + lane / CHUNKS) * pitch + lane % CHUNKS;
	b += (column + lane / CHUNKS) * pitch + lane % CHUNKS;
	load(a, pitch, x);
	load(b, pitch, y);
	for (long step = 0; step < steps; step++) {
		LOCAL half8 *at = lds[step % 2][0];

		put(at, x);
		put(at + TILE * CHUNKS, y);
		if (step + 1 < steps) {
			a += CHUNKS;
			b += CHUNKS;
		}
		load(a, pitch, x);
		load(b, pitch, y);
		barrier();
		multiply(at, at + TILE * CHUNKS, sums);
	}
	row += wave / 2 * 64 + lane % 16;
	column += wave % 2 * 64 + lane % 64 / 16 * 4;
	for (unsigned i = 0; i < 4; i++)
		for (unsigned j = 0; j < 4; j++)
			c[((row + i * 16) * n + column + j * 16) / 4] = sums[i][j];
	(void)m;
}
