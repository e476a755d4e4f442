#include "core/learn/data_formats.h"

#include "core/base/error.h"

#include <algorithm>
#include <span>

namespace lab {
namespace {

/// The part of an IDX file after its header. Format: Yann LeCun's page on MNIST; two zero bytes, the type, the number
/// of dimensions, each dimension as a big-endian 32-bit number, then the values.
struct IdxBytes {
    std::size_t items = 0;    ///< the first dimension
    std::size_t per_item = 1; ///< product of the others
    std::size_t dimensions = 0;
    std::size_t header = 0; ///< bytes before the values
    std::span<const unsigned char> values;
};

constexpr unsigned char k_unsigned_bytes = 0x08;

IdxBytes parseIdx(const FileContent& file)
{
    const std::span bytes(reinterpret_cast<const unsigned char*>(file.bytes.data()), file.bytes.size());
    if (bytes.size() < 4 || bytes[0] != 0 || bytes[1] != 0) {
        failAtByte(file.name, 0,
                   "no IDX file: it has to start with two zero bytes; name MNIST's -ubyte files");
    }
    if (bytes[2] != k_unsigned_bytes) {
        failAtByte(file.name, 2,
                   "values of type " + std::to_string(bytes[2]) + "; only unsigned bytes (type 8) are read");
    }
    IdxBytes idx;
    idx.dimensions = bytes[3];
    idx.header = 4 + 4 * idx.dimensions;
    if (idx.dimensions == 0 || bytes.size() < idx.header) {
        failAtByte(file.name, 3,
                   std::to_string(idx.dimensions)
                       + " dimensions, which the file has no room for; fetch it again");
    }
    idx.values = bytes.subspan(idx.header);
    // Against what is there, before anything is multiplied: a damaged size must neither overflow nor allocate.
    std::size_t total = 1;
    for (std::size_t i = 0; i < idx.dimensions; ++i) {
        std::size_t size = 0;
        for (const unsigned char byte : bytes.subspan(4 + 4 * i, 4)) {
            size = size << 8 | byte;
        }
        if (size == 0 || size > idx.values.size() / total) {
            failAtByte(file.name, 4 + 4 * i,
                       "dimension " + std::to_string(i) + " is " + std::to_string(size) + ", but only "
                           + std::to_string(idx.values.size()) + " values follow; fetch the file again");
        }
        total *= size;
        (i == 0 ? idx.items : idx.per_item) = i == 0 ? size : idx.per_item * size;
    }
    if (total != idx.values.size()) {
        failAtByte(file.name, idx.header + total,
                   std::to_string(idx.values.size() - total)
                       + " bytes more than the header says; fetch the file again");
    }
    return idx;
}

} // namespace

Dataset readIdx(const FileContent& images, const FileContent& labels)
{
    const IdxBytes pixels = parseIdx(images);
    if (pixels.dimensions < 2) {
        failAtByte(images.name, 3, "one dimension, as labels have; are idx_images and idx_labels swapped?");
    }
    const IdxBytes classes = parseIdx(labels);
    if (classes.dimensions != 1) {
        failAtByte(labels.name, 3,
                   std::to_string(classes.dimensions)
                       + " dimensions where labels have one; are idx_images and idx_labels swapped?");
    }
    if (classes.items != pixels.items) {
        failAtByte(labels.name, 4,
                   std::to_string(classes.items) + " labels for the " + std::to_string(pixels.items)
                       + " images of " + images.name + "; name files that belong together");
    }
    checkShape(images.name, pixels.items, pixels.per_item);

    Dataset data;
    const auto rows = static_cast<Eigen::Index>(pixels.items);
    const auto features = static_cast<Eigen::Index>(pixels.per_item);
    using Bytes = Eigen::Matrix<unsigned char, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    data.x = Eigen::Map<const Bytes>(pixels.values.data(), rows, features).cast<float>() / 255.0F;
    data.labels.assign(classes.values.begin(), classes.values.end());
    data.targets.assign(classes.values.begin(), classes.values.end());
    data.classes = 1 + *std::max_element(data.labels.begin(), data.labels.end());
    if (data.classes < 2) {
        throw Error(labels.name + ": every label is 0, so there is nothing to learn; use other labels");
    }
    return data;
}

} // namespace lab
