#include "app/parse_export.h"

#include "core/experiment/spelling.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

/// The formats that a list such as `csv,png` names, or what is wrong with it.
std::variant<std::vector<std::string>, std::string> formatsIn(const std::string& list)
{
    std::vector<std::string> formats;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t comma = std::min(list.find(',', begin), list.size());
        const std::string format = list.substr(begin, comma - begin);
        if (std::ranges::find(k_export_formats, format) == k_export_formats.end()) {
            return "must name some of " + joined(k_export_formats) + " with commas between them, not "
                + withQuotes(format);
        }
        if (std::ranges::find(formats, format) == formats.end()) {
            formats.push_back(format);
        }
        begin = comma + 1;
    }
    return formats;
}

} // namespace

Command parseExport(const Arguments& parts)
{
    if (parts.words.size() != 2) {
        return UsageError{parts.words.size() < 2
                              ? "export: needs the name of a session"
                              : "export: takes one session, not also " + withQuotes(parts.words[2])};
    }
    ExportCommand command;
    command.session = parts.words[1];
    command.formats.assign(k_export_formats.begin(), k_export_formats.end());
    for (const Arguments::Given& given : parts.options) {
        const std::string name = std::string(given.spec->name) + ": ";
        if (given.spec->option == Option::Out) {
            command.out = given.value;
        } else if (given.spec->option == Option::Force) {
            command.may_replace = true;
        } else if (given.spec->option == Option::Formats) {
            auto formats = formatsIn(given.value);
            if (const auto* problem = std::get_if<std::string>(&formats)) {
                return UsageError{name + *problem};
            }
            command.formats = std::get<std::vector<std::string>>(std::move(formats));
        } else {
            command.run = wholeNumber<std::int64_t>(given.value);
            if (!command.run || *command.run < 1) {
                return UsageError{name + "must be a whole number from 1 on, not " + withQuotes(given.value)};
            }
        }
    }
    if (command.out.empty()) {
        return UsageError{"export: needs a folder for the files: --out DIR"};
    }
    return command;
}

} // namespace lab
