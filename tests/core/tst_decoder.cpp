#include "core/coding/decoder.h"

#include <QTest>

using namespace lab;

namespace {

std::vector<bool> pattern(std::size_t workers, std::uint32_t bits)
{
    std::vector<bool> is_in(workers);
    for (std::size_t worker = 0; worker < workers; ++worker) {
        is_in[worker] = ((bits >> worker) & 1U) != 0;
    }
    return is_in;
}

} // namespace

class TestDecoder final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersAreTheCodesAndNoMoreAreKeptThanFit()
    {
        const std::shared_ptr<const GradientCode> code = cyclicRepetition(8, 2, 1);
        Decoder decoder(code, 5);
        for (const std::uint32_t bits : {0xffU, 0xfeU, 0x01U, 0xfeU, 0x7fU, 0xbfU, 0xdfU, 0xffU, 0x01U}) {
            const std::vector<bool> is_in = pattern(8, bits);
            const std::optional<Decoding> direct = code->decode(is_in);

            const std::optional<Decoding>& remembered = decoder.decode(is_in);

            QCOMPARE(remembered.has_value(), direct.has_value());
            QVERIFY(!direct || remembered->weights == direct->weights);
            QVERIFY(decoder.remembered() <= 5);
        }
        QCOMPARE(decoder.remembered(), 5U);
    }
};

QTEST_APPLESS_MAIN(TestDecoder)
#include "tst_decoder.moc"
