#include "core/experiment/chrome_trace.h"

#include "core/base/error.h"
#include "core/experiment/json_text.h"
#include "core/record/number_text.h"

#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace lab {
namespace {

constexpr std::int64_t k_run = 1;
constexpr std::int64_t k_nodes = 2;

std::int64_t threadOf(NodeId node) { return std::int64_t{node.value()} + 1; }

/// Nanoseconds as microseconds, every digit of them.
void appendMicroseconds(std::string& json, Duration time)
{
    const std::int64_t nanoseconds = time.count();
    LAB_EXPECTS(nanoseconds >= 0);
    appendNumber(json, nanoseconds / 1000);
    json += '.';
    const auto rest = static_cast<int>(nanoseconds % 1000);
    for (const int digit : {rest / 100, rest / 10 % 10, rest % 10}) {
        json += static_cast<char>('0' + digit);
    }
}

/// The list of events, grown one by one.
class Events {
public:
    explicit Events(std::size_t events) { json_.reserve(events * k_usual_bytes); }

    /// What a process or a thread is called: `kind` is `process_name` or `thread_name`.
    void name(std::string_view kind, std::int64_t process, std::int64_t thread, std::string_view name)
    {
        open('M', process, thread);
        text("name", kind);
        json_ += ", \"args\": {\"name\": ";
        appendJsonString(json_, name);
        json_ += "}}";
    }
    void slice(NodeId node, std::string_view name, TimePoint start, TimePoint end)
    {
        open('X', k_nodes, threadOf(node));
        at(start);
        json_ += ", \"dur\": ";
        appendMicroseconds(json_, end - start);
        text("name", name);
        json_ += '}';
    }
    /// Stands on the node's thread, or on all of the trace where it is about no single node.
    void instant(const LogEntry& entry)
    {
        const bool has_node = entry.node.isValid();
        open('i', has_node ? k_nodes : k_run, has_node ? threadOf(entry.node) : 1);
        at(entry.time);
        text("s", has_node ? "t" : "g");
        text("cat", logKindName(entry.kind));
        text("name", entry.text);
        json_ += '}';
    }
    template <class Number> void counter(std::string_view name, TimePoint time, Number value)
    {
        open('C', k_run, 1);
        at(time);
        text("name", name);
        json_ += ", \"args\": {\"value\": ";
        appendNumber(json_, value);
        json_ += "}}";
    }
    [[nodiscard]] std::string done() && { return std::move(json_); }

private:
    static constexpr std::size_t k_usual_bytes = 100;

    void open(char phase, std::int64_t process, std::int64_t thread)
    {
        json_ += json_.empty() ? "\n{\"ph\": \"" : ",\n{\"ph\": \"";
        json_ += phase;
        json_ += "\", \"pid\": ";
        appendNumber(json_, process);
        json_ += ", \"tid\": ";
        appendNumber(json_, thread);
    }
    void at(TimePoint time)
    {
        json_ += ", \"ts\": ";
        appendMicroseconds(json_, time.time_since_epoch());
    }
    void text(std::string_view key, std::string_view value)
    {
        json_ += ", \"";
        json_ += key;
        json_ += "\": ";
        appendJsonString(json_, value);
    }

    std::string json_;
};

} // namespace

std::string chromeTrace(const RunRecord& run, std::span<const std::string> names)
{
    Events events(run.spans.size() + run.updates.size() + run.curve.size() + names.size());
    events.name("process_name", k_run, 1, "run");
    events.name("thread_name", k_run, 1, "events");
    events.name("process_name", k_nodes, 1, "nodes");
    for (std::size_t i = 0; i < names.size(); ++i) {
        events.name("thread_name", k_nodes, threadOf(NodeId{i}), names[i]);
    }
    for (const Span& span : run.spans) {
        LAB_EXPECTS(span.node.isValid() && span.node.index() < names.size());
        events.slice(span.node, activityName(span.activity), span.start, span.end);
    }
    for (const LogEntry& entry : run.log) {
        events.instant(entry);
    }
    for (const Evaluation& one : run.curve) {
        if (std::isfinite(one.train_loss)) {
            events.counter("training loss", one.time, one.train_loss);
        }
    }
    for (const UpdateRecord& one : run.updates) {
        events.counter("updates", one.time, one.update);
    }
    return "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [" + std::move(events).done() + "\n]}\n";
}

} // namespace lab
