#pragma once

#include "core/learn/dataset_catalog.h"
#include "core/learn/file_content.h"

namespace lab {

/// One reader per file format. Each throws Error naming file, place and remedy where the content is not what the
/// format says; nothing is guessed, nothing skipped, and no size is believed before it is checked.

[[nodiscard]] Dataset readCsv(const FileContent& file, const std::string& label);
[[nodiscard]] Dataset readLibsvm(const FileContent& file);
[[nodiscard]] Dataset readIdx(const FileContent& images, const FileContent& labels);
[[nodiscard]] Dataset readCifar(const std::filesystem::path& folder);

} // namespace lab
