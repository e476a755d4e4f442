#include "core/experiment/live_replay.h"

#include "core/record/number_text.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <variant>

namespace lab {
namespace {

/// Makes the paths of a source whole.
class FromRoot {
public:
    explicit FromRoot(const std::filesystem::path& folder) : folder_(folder) {}

    void operator()(std::string& /*name*/) const {}
    void operator()(CsvSource& source) const { complete(source.csv); }
    void operator()(LibsvmSource& source) const { complete(source.libsvm); }
    void operator()(IdxSource& source) const
    {
        complete(source.idx_images);
        complete(source.idx_labels);
    }
    void operator()(CifarSource& source) const { complete(source.cifar10); }

private:
    void complete(std::string& path) const
    {
        path = std::filesystem::absolute(folder_ / path).lexically_normal().string();
    }
    const std::filesystem::path& folder_;
};

} // namespace

std::string traceCsv(const std::vector<std::vector<double>>& task_seconds)
{
    std::size_t iterations = 0;
    for (const std::vector<double>& seconds : task_seconds) {
        iterations = std::max(iterations, seconds.size());
    }
    if (iterations == 0) {
        return {};
    }
    std::string text = "node,iteration,seconds\n";
    for (std::size_t node = 0; node < task_seconds.size(); ++node) {
        const std::vector<double>& seconds = task_seconds[node];
        const std::string of_node = std::to_string(node) + ',';
        for (std::size_t k = 0; k < iterations; ++k) {
            text += of_node + std::to_string(k) + ',';
            appendNumber(text, seconds.empty() ? 1.0 : seconds[std::min(k, seconds.size() - 1)]);
            text += '\n';
        }
    }
    return text;
}

Experiment replayOf(const Experiment& experiment, const std::string& trace_file)
{
    Experiment replay = experiment;
    replay.cluster.trace = trace_file;
    std::visit(FromRoot(experiment.folder), replay.data.source);
    return replay;
}

Experiment replayOf(const Experiment& experiment, const std::string& trace_file, const LiveTrace& trace)
{
    Experiment replay = replayOf(experiment, trace_file);
    if (!trace.is_over) {
        replay.stop.seconds = toSeconds(trace.until);
    }
    return replay;
}

} // namespace lab
