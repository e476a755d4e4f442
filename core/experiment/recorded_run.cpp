#include "core/experiment/recorded_run.h"

#include "core/base/error.h"
#include "core/experiment/experiment_json.h"
#include "core/record/number_text.h"

#include <algorithm>
#include <string>

namespace lab {

OpenedRun openRun(const SessionReader& session, std::int64_t number)
{
    OpenedRun opened;
    opened.recorded = session.read(number);
    const SessionRun& run = opened.recorded.run;
    const std::string name = "the experiment of run " + numberText(number);
    try {
        opened.experiment = parseRecordedExperiment(run.head.experiment, name, run.head.folder);
        opened.journal =
            parseRecordedExperiment(run.journal, "the journal of run " + numberText(number), run.head.folder);
    } catch (const ExperimentError& error) {
        throw Error(session.name() + ": is damaged: " + error.what()
                    + "; take it from a backup, or record the run again");
    }
    const bool is_of_run =
        std::ranges::equal(opened.experiment.cluster.nodes, run.head.nodes, {}, &NodeSpec::name)
        && opened.journal.cluster.nodes.size() == run.head.nodes.size();
    if (!is_of_run) {
        throw Error(session.name() + ": is damaged: " + name
                    + " has other nodes than the run; take it from a backup, or record the run again");
    }
    return opened;
}

} // namespace lab
