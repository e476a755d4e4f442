#include "core/learn/dataset_catalog.h"

#include "core/base/error.h"
#include "core/learn/data_formats.h"

#include <algorithm>
#include <array>

namespace lab {

DatasetInfo digits();
DatasetInfo fashion();
DatasetInfo breastCancer();
DatasetInfo iris();
DatasetInfo blobs();
DatasetInfo moons();
DatasetInfo spirals();

std::span<const DatasetInfo> datasetCatalog()
{
    static const std::array k_sets{
        digits(), fashion(), breastCancer(), iris(), blobs(), moons(), spirals(),
    };
    return k_sets;
}

const DatasetInfo* findDataset(std::string_view id)
{
    const auto sets = datasetCatalog();
    const auto found =
        std::find_if(sets.begin(), sets.end(), [&](const DatasetInfo& set) { return set.id == id; });
    return found == sets.end() ? nullptr : &*found;
}

namespace {

/// Loads each kind of source; a new kind does not compile until it has its line here.
struct Loader {
    const std::filesystem::path& folder;
    std::uint64_t seed;

    [[nodiscard]] Dataset operator()(const std::string& id) const
    {
        if (const DatasetInfo* set = findDataset(id)) {
            return named(set->make(seed), id);
        }
        std::string known;
        for (const DatasetInfo& set : datasetCatalog()) {
            known += (known.empty() ? "" : ", ") + set.id;
        }
        throw Error("no data set is called '" + id + "'; there are " + known);
    }
    [[nodiscard]] Dataset operator()(const CsvSource& source) const
    {
        return named(readCsv(readFile(folder / source.csv), source.label), source.csv);
    }
    [[nodiscard]] Dataset operator()(const LibsvmSource& source) const
    {
        return named(readLibsvm(readFile(folder / source.libsvm)), source.libsvm);
    }
    [[nodiscard]] Dataset operator()(const IdxSource& source) const
    {
        return named(readIdx(readFile(folder / source.idx_images), readFile(folder / source.idx_labels)),
                     source.idx_images);
    }
    [[nodiscard]] Dataset operator()(const CifarSource& source) const
    {
        return named(readCifar(folder / source.cifar10), source.cifar10);
    }

private:
    [[nodiscard]] static Dataset named(Dataset data, const std::string& name)
    {
        data.name = name;
        return data;
    }
};

} // namespace

Dataset loadDataset(const DataSource& source, const std::filesystem::path& folder, std::uint64_t seed)
{
    return std::visit(Loader{folder, seed}, source);
}

} // namespace lab
