#pragma once

#include <string_view>

namespace lab {

/// The files of resources/data as they are on disk, built into the program so that it finds them wherever it runs.
struct EmbeddedFile {
    std::string_view name; ///< the file's name, for messages
    std::string_view bytes;
};

[[nodiscard]] EmbeddedFile embeddedDigits();
[[nodiscard]] EmbeddedFile embeddedBreastCancer();
[[nodiscard]] EmbeddedFile embeddedIris();
[[nodiscard]] EmbeddedFile embeddedFashionImages();
[[nodiscard]] EmbeddedFile embeddedFashionLabels();

} // namespace lab
