#include "core/base/error.h"
#include "core/learn/data_formats.h"
#include "core/learn/embedded.h"

namespace lab {
namespace {

FileContent content(const EmbeddedFile& file) { return unpacked(std::string(file.name), file.bytes); }

/// Pixels count the inked quarters of a 4 x 4 block, 0 … 16. They are centred and scaled by the mean 4.884 and the
/// standard deviation 6.017 of all pixels, so that gradient descent is well conditioned from the start.
Dataset makeDigits(std::uint64_t /*seed*/)
{
    Dataset data = readCsv(content(embeddedDigits()), "last");
    data.x = ((data.x.array() - 4.884F) / 6.017F).matrix();
    return data;
}

Dataset makeBreastCancer(std::uint64_t /*seed*/) { return readCsv(content(embeddedBreastCancer()), "last"); }

Dataset makeIris(std::uint64_t /*seed*/) { return readCsv(content(embeddedIris()), "last"); }

Dataset makeFashion(std::uint64_t /*seed*/)
{
    Dataset data = readIdx(content(embeddedFashionImages()), content(embeddedFashionLabels()));
    data.class_names = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                        "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};
    return data;
}

} // namespace

DatasetInfo digits()
{
    return {"digits", "Handwritten digits",
            "1,797 images of 8 × 8 pixels in 10 classes. Alpaydin and Kaynak, UCI repository, 1998.",
            makeDigits};
}

DatasetInfo fashion()
{
    return {"fashion", "Fashion-MNIST (subset)",
            "5,000 images of clothes, reduced to 14 × 14 pixels, in 10 classes. Xiao, Rasul and Vollgraf, "
            "Zalando, 2017.",
            makeFashion};
}

DatasetInfo breastCancer()
{
    return {"breast_cancer", "Breast cancer Wisconsin",
            "569 cell samples with 30 features, benign or malignant. Wolberg, Street and Mangasarian, UCI "
            "repository, 1995.",
            makeBreastCancer};
}

DatasetInfo iris()
{
    return {"iris", "Iris", "150 flowers with 4 measurements, 3 species. Fisher, Annals of Eugenics, 1936.",
            makeIris};
}

} // namespace lab
