// Speed of the core, for `lab bench`: every benchmark reports items per second under the name that its peers use.

#include "core/learn/kernels.h"
#include "tests/bench/benchmarks.h"

#include <benchmark/benchmark.h>

int main(int argc, char** argv)
{
    lab::pinKernels();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    registerGradients();
    registerRuns();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
