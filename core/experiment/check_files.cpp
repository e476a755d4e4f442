#include "core/experiment/checks.h"

#include "core/experiment/json_text.h"

#include <filesystem>
#include <system_error>

namespace lab {
namespace {

namespace fs = std::filesystem;

/// Looks for the files that an experiment names.
class FileSearch {
public:
    explicit FileSearch(const fs::path& folder) : folder_(folder) {}

    void file(const std::string& name, std::string where) { look(name, std::move(where), false); }
    void folder(const std::string& name, std::string where) { look(name, std::move(where), true); }

    [[nodiscard]] std::vector<Problem> problems() && { return std::move(problems_); }

private:
    void look(const std::string& name, std::string where, bool is_folder)
    {
        const fs::path path = folder_ / name;
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        const char* wanted = is_folder ? "folder" : "file";
        if (name.empty()) {
            problems_.push_back({std::move(where), std::string("must name a ") + wanted, 0});
        } else if (!fs::exists(status)) {
            problems_.push_back({std::move(where),
                                 std::string("there is no ") + wanted + ' ' + jsonExcerpt(path.string()), 0});
        } else if (is_folder ? !fs::is_directory(status) : !fs::is_regular_file(status)) {
            problems_.push_back(
                {std::move(where),
                 jsonExcerpt(path.string()) + " is no " + (is_folder ? "folder" : "regular file"), 0});
        }
    }

    const fs::path& folder_;
    std::vector<Problem> problems_;
};

struct SourceSearch {
    FileSearch& search;

    void operator()(const std::string& /*name*/) const {}
    void operator()(const CsvSource& source) const { search.file(source.csv, "data.source.csv"); }
    void operator()(const LibsvmSource& source) const { search.file(source.libsvm, "data.source.libsvm"); }
    void operator()(const IdxSource& source) const
    {
        search.file(source.idx_images, "data.source.idx_images");
        search.file(source.idx_labels, "data.source.idx_labels");
    }
    void operator()(const CifarSource& source) const { search.folder(source.cifar10, "data.source.cifar10"); }
};

} // namespace

std::vector<Problem> checkFiles(const Experiment& experiment)
{
    FileSearch search(experiment.folder);
    std::visit(SourceSearch{search}, experiment.data.source);
    if (experiment.cluster.trace) {
        search.file(*experiment.cluster.trace, "cluster.trace");
    }
    return std::move(search).problems();
}

} // namespace lab
