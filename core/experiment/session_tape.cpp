#include "core/experiment/session_tape.h"

#include "core/base/error.h"
#include "core/experiment/run.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

constexpr const char* k_ended = "the run is no longer recorded: ";

} // namespace

bool saysRecordingEnded(const LogEntry& entry)
{
    return entry.kind == LogEntry::Kind::Note && entry.text.starts_with(k_ended);
}

SessionTape::SessionTape(std::optional<RecordingPlan> plan, const Experiment& experiment, ClockKind clock)
    : plan_(std::move(plan)),
      experiment_(experiment),
      journal_(experiment),
      clock_(clock)
{
}

void SessionTape::changed(const Intervention& event)
{
    if (isRunning()) {
        edits_.push_back(event);
        journal_.events.push_back(event);
        std::ranges::stable_sort(journal_.events, {}, &Intervention::at);
    }
}

void SessionTape::record(Frame& frame, Emulator& emulator, double wall)
{
    if (!isRunning()) {
        return;
    }
    try {
        write(frame, emulator, wall);
    } catch (const std::exception& failure) {
        recording_.reset();
        plan_.reset();
        frame.log.push_back({.time = frame.now,
                             .kind = LogEntry::Kind::Note,
                             .node = NodeId{},
                             .text = k_ended + std::string(failure.what())});
    }
}

void SessionTape::write(const Frame& frame, Emulator& emulator, double wall)
{
    const Frame* next = &frame;
    Frame bare;
    if (recording_ == nullptr) {
        before_.publish(Frame(frame));
        if (frame.state == RunState::Ready) {
            return;
        }
        recording_ = std::make_unique<RunRecording>(*plan_, experiment_, clock_, dateAndTime());
        began_ = wall;
        recording_->append(before_.take(), emulator.taskSeconds(), wall);
        bare = before_.take(); // the same state, whose lists are recorded
        next = &bare;
    }
    // Edits go in before the frame whose commit brings them to the disk.
    writeEdits();
    recording_->append(*next, emulator.taskSeconds(), wall);
    if (frame.state == RunState::Finished) {
        const RunRecord ending = emulator.ending();
        recording_->finish(ending, summarize(experiment_, ending, wall - began_));
        recording_.reset();
        plan_.reset();
    }
}

void SessionTape::writeEdits()
{
    if (!edits_.empty()) {
        recording_->changed(std::exchange(edits_, {}), journal_);
    }
}

void SessionTape::close(const Frame& last, std::span<const std::vector<double>> tasks)
{
    if (recording_ == nullptr) {
        return;
    }
    try {
        writeEdits();
        recording_->stop(last, tasks);
    } catch (const std::
                 exception&) { // NOLINT(bugprone-empty-catch): nobody is left to be told; what is in it stays
    }
    recording_.reset();
}

} // namespace lab
