/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* "busy" is held by the caller whose work it is.  Under "lock": the work's number, which
 * wakes the threads, and how many of them have not ended it. */
struct pool {
	atomic_uint users;
	unsigned most, count;		/* threads that there may be, and that run */
	pid_t process;			/* whose threads they are; 0: none was started */
	pthread_mutex_t busy, lock;
	pthread_cond_t begin, end;
	unsigned number, active;
	bool stop;
	void (*work)(void *arg, unsigned i);
	void *arg;
	unsigned items;
	atomic_uint next;
	pthread_t threads[];
};

static void take_items(struct pool *pool)
{
	unsigned i;

	while ((i = atomic_fetch_add(&pool->next, 1)) < pool->items)
		pool->work(pool->arg, i);
}

/* Wait for work after number "seen"; false to stop. */
static bool await_work(struct pool *pool, unsigned *seen)
{
	bool stop;

	pthread_mutex_lock(&pool->lock);
	while (pool->number == *seen && !pool->stop)
		pthread_cond_wait(&pool->begin, &pool->lock);
	stop = pool->stop;
	*seen = pool->number;
	pthread_mutex_unlock(&pool->lock);
	return !stop;
}

static void *run_thread(void *user)
{
	struct pool *pool = user;
	unsigned seen = 0;

	while (await_work(pool, &seen)) {
		take_items(pool);
		pthread_mutex_lock(&pool->lock);
		if (!--pool->active)
			pthread_cond_signal(&pool->end);
		pthread_mutex_unlock(&pool->lock);
	}
	return NULL;
}

/* Before the first work; what cannot be started is done without. */
static void start(struct pool *pool)
{
	pool->process = getpid();
	while (pool->count < pool->most && !pthread_create(&pool->threads[pool->count],
	       NULL, run_thread, pool))
		pool->count++;
}

static void run_alone(unsigned count, void (*work)(void *arg, unsigned i), void *arg)
{
	for (unsigned i = 0; i < count; i++)
		work(arg, i);
}

/* The caller has the pool. */
static void share(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	atomic_store(&pool->next, 0);
	pool->active = pool->count;
	pool->number++;
	pthread_cond_broadcast(&pool->begin);
	pthread_mutex_unlock(&pool->lock);
	take_items(pool);
	pthread_mutex_lock(&pool->lock);
	while (pool->active)
		pthread_cond_wait(&pool->end, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

void pool_run(struct pool *pool, unsigned count, void (*work)(void *arg, unsigned i),
	void *arg)
{
	if (count < 2 || pthread_mutex_trylock(&pool->busy)) {
		run_alone(count, work, arg);
		return;
	}
	if (!pool->process)
		start(pool);
	if (pool->process == getpid() && pool->count) {
		pool->work = work;
		pool->arg = arg;
		pool->items = count;
		share(pool);
	} else {
		run_alone(count, work, arg);
	}
	pthread_mutex_unlock(&pool->busy);
}

static struct pool *pool_new(layout_context *ctx, unsigned threads)
{
	struct pool *pool = layout_alloc(ctx, 1, sizeof(*pool) +
		threads * sizeof(pool->threads[0]));

	if (!pool)
		return NULL;
	atomic_init(&pool->users, 1);
	pool->most = threads;
	pthread_mutex_init(&pool->busy, NULL);
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->begin, NULL);
	pthread_cond_init(&pool->end, NULL);
	return pool;
}

/* Threads of another process are not ours to end. */
static void stop(struct pool *pool)
{
	if (pool->process != getpid())
		return;
	pthread_mutex_lock(&pool->lock);
	pool->stop = true;
	pthread_cond_broadcast(&pool->begin);
	pthread_mutex_unlock(&pool->lock);
	for (unsigned i = 0; i < pool->count; i++)
		pthread_join(pool->threads[i], NULL);
}

void pool_drop(struct pool *pool)
{
	if (!pool || atomic_fetch_sub(&pool->users, 1) > 1)
		return;
	stop(pool);
	pthread_mutex_destroy(&pool->busy);
	pthread_mutex_destroy(&pool->lock);
	pthread_cond_destroy(&pool->begin);
	pthread_cond_destroy(&pool->end);
	free(pool);
}

static void drop(void *pool)
{
	pool_drop(pool);
}

struct pool *pool_of(layout_context *ctx, unsigned threads)
{
	struct layout_attachment *kept = layout_attached(ctx, LAYOUT_ATTACHED_POOL);
	struct pool *pool = kept->data;

	if (!pool) {
		pool = pool_new(ctx, threads);
		*kept = (struct layout_attachment){ pool, drop };
	}
	if (pool)
		atomic_fetch_add(&pool->users, 1);
	return pool;
}
