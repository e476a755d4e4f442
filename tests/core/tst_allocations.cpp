// Gradients and losses ask for no memory once their thread has computed one.

#include "core/base/rng.h"
#include "core/learn/dataset_catalog.h"
#include "core/learn/model_catalog.h"

#include <QTest>

#include <cstdlib>
#include <new>
#include <vector>

namespace {

// The linker sends every malloc of this program here (CMakeLists.txt), Eigen's among them; libraries call their own.
thread_local long asked = 0;

} // namespace

extern "C" {
void* __real_malloc(std::size_t size); // NOLINT: the linker's names
void* __wrap_malloc(std::size_t size)  // NOLINT
{
    ++asked;
    return __real_malloc(size);
}
}

void* operator new(std::size_t size)
{
    if (void* memory = std::malloc(size)) {
        return memory;
    }
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

using namespace lab;

class TestAllocations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countingCounts()
    {
        const long before = asked;
        const std::vector<int> list(100);
        const Vector vector = Vector::Zero(100);
        QVERIFY(asked - before == 2 && list.size() == 100 && vector.size() == 100);
    }

    void gradientsAskForNoMemory_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("linear") << "linear";
        QTest::newRow("softmax") << "softmax";
        QTest::newRow("mlp") << "mlp";
    }

    void gradientsAskForNoMemory()
    {
        QFETCH(const QString, kind);
        const Split split = splitDataset(loadDataset(std::string("digits"), {}, 1), 0.2, 1);
        const ModelSpec spec{.kind = kind.toStdString(), .hidden = {128, 40}};
        const auto model = findModel(spec.kind)->make(spec, split.training);
        const Vector w = model->initial(1);
        Vector sum = Vector::Zero(model->size());
        const std::vector<std::uint32_t> rows(200, 7);
        double loss = 0;
        const auto compute = [&] {
            model->addGradient(w, split.training, rows, 1, sum);
            loss += model->loss(w, split.training, 0, 256).loss;
        };

        compute(); // the first one on a thread takes its scratch memory
        const long before = asked;
        for (int turn = 0; turn < 10; ++turn) {
            compute();
        }

        QCOMPARE(asked - before, 0L);
        QVERIFY(loss > 0);
    }
};

QTEST_APPLESS_MAIN(TestAllocations)
#include "tst_allocations.moc"
