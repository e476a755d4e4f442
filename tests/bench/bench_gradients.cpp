// Plain serial stochastic gradient descent: rows at random, gradient, step. Items are samples.

#include "core/base/rng.h"
#include "core/coding/decoder.h"
#include "core/learn/model_catalog.h"
#include "tests/bench/benchmarks.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace lab;

namespace {

constexpr std::uint64_t k_seed = 1;
constexpr std::size_t k_rows = 1437;

Dataset randomData(std::size_t features)
{
    Dataset data;
    data.classes = 10;
    data.x.resize(k_rows, static_cast<Eigen::Index>(features));
    Rng rng(k_seed, Purpose::Dataset, 0, 0);
    for (float& value : data.x.reshaped()) {
        value = static_cast<float>(rng.uniform());
    }
    for (std::size_t row = 0; row < k_rows; ++row) {
        data.labels.push_back(static_cast<int>(rng.below(10)));
        data.targets.push_back(static_cast<float>(data.labels.back()));
    }
    return data;
}

void descend(benchmark::State& state, std::size_t features, const ModelSpec& spec, InstructionSet set)
{
    const auto batch = static_cast<std::size_t>(state.range(0));
    const Dataset data = randomData(features);
    const auto model = findModel(spec.kind)->make(spec, data, set);
    Vector w = model->initial(k_seed);
    Vector sum = Vector::Zero(model->size());
    std::vector<std::uint32_t> rows(batch);
    Rng rng(k_seed, Purpose::Data, 0, 0);
    for ([[maybe_unused]] const auto& turn : state) {
        for (std::uint32_t& row : rows) {
            row = static_cast<std::uint32_t>(rng.below(k_rows));
        }
        sum.setZero();
        model->addGradient(w, data, rows, 0.01F / static_cast<float>(batch), sum);
        w -= sum;
        benchmark::DoNotOptimize(w.data());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// The weights of a decoding with 8 of 64 messages missing: a pattern that was seen before, or a new one each time.
void decode(benchmark::State& state, bool is_known)
{
    const auto code = cyclicRepetition(64, 8, k_seed);
    Decoder decoder(code);
    std::vector<bool> is_in(64, true);
    for (std::size_t i = 0; i < 8; ++i) {
        is_in[5 * i + i % 3] = false;
    }
    for ([[maybe_unused]] const auto& turn : state) {
        if (is_known) {
            benchmark::DoNotOptimize(decoder.decode(is_in));
        } else {
            benchmark::DoNotOptimize(code->decode(is_in));
        }
    }
    state.SetItemsProcessed(state.iterations());
}

struct Shape {
    std::string name;
    std::size_t features;
    ModelSpec spec;
};

} // namespace

void registerGradients()
{
    const std::vector<Shape> shapes{{"softmax-64-10", 64, {.kind = "softmax"}},
                                    {"mlp-64-128-10", 64, {.kind = "mlp", .hidden = {128}}},
                                    {"mlp-784-256-10", 784, {.kind = "mlp", .hidden = {256}}}};
    for (const Shape& shape : shapes) {
        for (const InstructionSet set : supportedInstructionSets()) {
            const std::string name = "gradient/" + shape.name
                + (set == bestInstructionSet() ? "" : std::string("/") + instructionSetName(set));
            benchmark::RegisterBenchmark(
                name.c_str(),
                [shape, set](benchmark::State& state) { descend(state, shape.features, shape.spec, set); })
                ->Arg(32)
                ->Arg(128);
        }
    }
    benchmark::RegisterBenchmark("code/decode-new", [](benchmark::State& state) { decode(state, false); });
    benchmark::RegisterBenchmark("code/decode-known", [](benchmark::State& state) { decode(state, true); });
}
