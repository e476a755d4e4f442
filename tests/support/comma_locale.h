#pragma once

#include <QTemporaryDir>

#include <clocale>
#include <cstdlib>

namespace lab::test {

/// The whole program speaks German while this lives, with a comma as the decimal mark. The locale is made in a folder of
/// its own, since most machines have none: check loaded() and skip loudly where it is false.
class CommaLocale {
public:
    CommaLocale()
    {
        const QByteArray folder = folder_.path().toLocal8Bit();
        const QByteArray make = "localedef -i de_DE -f UTF-8 '" + folder + "/de_DE.UTF-8' >/dev/null 2>&1";
        if (std::system(make.constData()) == 0) {
            ::setenv("LOCPATH", folder.constData(), 1);
            loaded_ =
                std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr && *std::localeconv()->decimal_point == ',';
        }
    }
    ~CommaLocale()
    {
        std::setlocale(LC_ALL, "C");
        ::unsetenv("LOCPATH");
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

    [[nodiscard]] bool loaded() const { return loaded_; }

private:
    QTemporaryDir folder_;
    bool loaded_ = false;
};

} // namespace lab::test
