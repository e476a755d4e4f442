#include "core/learn/data_formats.h"

#include "core/base/error.h"

#include <algorithm>
#include <vector>

namespace lab {
namespace {

constexpr std::size_t k_features = std::size_t{3} * 32 * 32;
constexpr std::size_t k_record = 1 + k_features; // the label, then the red, green and blue planes
constexpr int k_classes = 10;
constexpr int k_batches = 5;

std::vector<FileContent> readBatches(const std::filesystem::path& folder)
{
    std::error_code none; // what cannot be looked at is as good as not there
    if (!std::filesystem::is_directory(folder, none)) {
        throw Error(folder.string() + ": no such folder; name the one with data_batch_1.bin in it");
    }
    std::vector<FileContent> batches;
    for (int number = 1; number <= k_batches; ++number) {
        const auto path = folder / ("data_batch_" + std::to_string(number) + ".bin");
        // Some of the batches are enough, as long as they are the first: a gap is a file gone missing.
        if (number > 1 && !std::filesystem::exists(path, none)) {
            break;
        }
        batches.push_back(readFile(path));
        const FileContent& batch = batches.back();
        if (batch.bytes.size() % k_record != 0) {
            failAtByte(batch.name, batch.bytes.size() / k_record * k_record,
                       "an image cut short; CIFAR-10 has " + std::to_string(k_record)
                           + " bytes each, fetch the binary version again");
        }
    }
    return batches;
}

} // namespace

/// Format: Krizhevsky, "Learning Multiple Layers of Features from Tiny Images", 2009; the binary version.
Dataset readCifar(const std::filesystem::path& folder)
{
    const std::vector<FileContent> batches = readBatches(folder);
    std::size_t rows = 0;
    for (const FileContent& batch : batches) {
        rows += batch.bytes.size() / k_record;
    }
    checkShape(folder.string(), rows, k_features);

    Dataset data;
    data.classes = k_classes;
    data.class_names = {"airplane", "automobile", "bird",  "cat",  "deer",
                        "dog",      "frog",       "horse", "ship", "truck"};
    data.x.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(k_features));
    float* to = data.x.data();
    for (const FileContent& batch : batches) {
        for (std::size_t at = 0; at < batch.bytes.size(); at += k_record) {
            const int label = static_cast<unsigned char>(batch.bytes[at]);
            if (label >= k_classes) {
                failAtByte(batch.name, at, "label " + std::to_string(label) + "; CIFAR-10 has 0 to 9");
            }
            data.labels.push_back(label);
            data.targets.push_back(static_cast<float>(label));
            const char* pixels = batch.bytes.data() + at + 1;
            to = std::transform(pixels, pixels + k_features, to, [](char pixel) {
                return static_cast<float>(static_cast<unsigned char>(pixel)) / 255.0F;
            });
        }
    }
    return data;
}

} // namespace lab
