// Threads that stay, and share out loops: those of the program, on which products by hand and the generated one run.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

class team {
public:
    explicit team(int threads) : count_(threads)
    {
        for (int i = 1; i < threads; i++)
            helpers_.emplace_back([this, i] { helped(i); });
    }
    ~team()
    {
        run_ = nullptr;
        call_.fetch_add(1, std::memory_order_release);
        for (std::thread &each : helpers_)
            each.join();
    }

    int count() const { return count_; }

    // run(context, i) for each share, thread i those that are i more than a multiple of the threads.
    void shared(std::int64_t shares, void (*run)(void *context, std::int64_t share), void *context)
    {
        shares_ = shares, run_ = run, context_ = context;
        left_.store(count_ - 1, std::memory_order_relaxed);
        call_.fetch_add(1, std::memory_order_release);
        mine(0);
        while (left_.load(std::memory_order_acquire))
            std::this_thread::yield();
    }

    // As the package asks for it.
    static void parallel_for(void *host, std::int64_t shares, void (*run)(void *context, std::int64_t share),
                             void *context)
    {
        static_cast<team *>(host)->shared(shares, run, context);
    }

private:
    void mine(int self)
    {
        for (std::int64_t i = self; i < shares_; i += count_)
            run_(context_, i);
    }

    void helped(int self)
    {
        for (std::uint64_t seen = 0;;) {
            std::uint64_t now;
            while ((now = call_.load(std::memory_order_acquire)) == seen)
                std::this_thread::yield();
            seen = now;
            if (!run_)
                return;
            mine(self);
            left_.fetch_sub(1, std::memory_order_release);
        }
    }

    int count_;
    std::vector<std::thread> helpers_;
    std::atomic<std::uint64_t> call_ = 0;
    std::atomic<int> left_ = 0;
    std::int64_t shares_ = 0;
    void (*run_)(void *context, std::int64_t share) = nullptr;
    void *context_ = nullptr;
};
