#include "core/learn/embedded.h"

// LAB_DATA_DIR comes from CMake, which also rebuilds this file when one of the data files changes.
asm(R"(
    .macro lab_embed symbol, file
    .hidden \symbol\()_begin
    .hidden \symbol\()_end
    .global \symbol\()_begin
    .global \symbol\()_end
\symbol\()_begin:
    .incbin "\file"
\symbol\()_end:
    .endm
    .pushsection .rodata
    lab_embed k_lab_digits, ")" LAB_DATA_DIR R"(/digits.csv.gz"
    lab_embed k_lab_breast_cancer, ")" LAB_DATA_DIR R"(/breast_cancer.csv"
    lab_embed k_lab_iris, ")" LAB_DATA_DIR R"(/iris.csv"
    lab_embed k_lab_fashion_images, ")" LAB_DATA_DIR R"(/fashion-images-idx3-ubyte.gz"
    lab_embed k_lab_fashion_labels, ")" LAB_DATA_DIR R"(/fashion-labels-idx1-ubyte.gz"
    .popsection
)");

extern "C" {
extern const char k_lab_digits_begin[], k_lab_digits_end[];
extern const char k_lab_breast_cancer_begin[], k_lab_breast_cancer_end[];
extern const char k_lab_iris_begin[], k_lab_iris_end[];
extern const char k_lab_fashion_images_begin[], k_lab_fashion_images_end[];
extern const char k_lab_fashion_labels_begin[], k_lab_fashion_labels_end[];
}

namespace lab {

EmbeddedFile embeddedDigits() { return {"digits.csv.gz", {k_lab_digits_begin, k_lab_digits_end}}; }
EmbeddedFile embeddedBreastCancer()
{
    return {"breast_cancer.csv", {k_lab_breast_cancer_begin, k_lab_breast_cancer_end}};
}
EmbeddedFile embeddedIris() { return {"iris.csv", {k_lab_iris_begin, k_lab_iris_end}}; }
EmbeddedFile embeddedFashionImages()
{
    return {"fashion-images-idx3-ubyte.gz", {k_lab_fashion_images_begin, k_lab_fashion_images_end}};
}
EmbeddedFile embeddedFashionLabels()
{
    return {"fashion-labels-idx1-ubyte.gz", {k_lab_fashion_labels_begin, k_lab_fashion_labels_end}};
}

} // namespace lab
