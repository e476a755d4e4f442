#include "core/sweep/run_log.h"

#include "core/base/error.h"
#include "core/sweep/sweep_folder.h"

#include <utility>

#include <fcntl.h>

namespace lab {

RunLog::RunLog(std::filesystem::path file, const Sweep& sweep)
    : file_(std::move(file)),
      sweep_(sweep),
      opened_(file_, file_, O_RDWR | O_CREAT | O_APPEND)
{
    if (!opened_.lock()) {
        throw Error(file_.string() + ": another sweep is writing here");
    }
    const std::string text = textOf(file_);
    const std::size_t whole = text.rfind('\n') + 1;
    if (whole < text.size()) {
        opened_.cutTo(whole);
    }
    if (whole == 0) {
        opened_.write(runsHeader(sweep_) + '\n');
        opened_.sync();
    }
    runs_ = readRuns(text, file_.string(), sweep_);
}

void RunLog::append(RunFigures run)
{
    opened_.write(runsRow(sweep_, run));
    opened_.sync();
    runs_.insert_or_assign(run.index, std::move(run));
}

void RunLog::sort() const { replaceFile(file_, runsText(sweep_, runs_)); }

} // namespace lab
