#include "widgets/counted.h"

namespace lab {

QString counted(qint64 count, const QString& one, const QString& many)
{
    return count == 1 ? one : many.arg(count);
}

} // namespace lab
