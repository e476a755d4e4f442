#pragma once

#include "widgets/theme.h"

#include <QByteArray>
#include <QRectF>
#include <QSize>
#include <QString>

#include <functional>
#include <span>
#include <utility>
#include <vector>

class QImage;
class QPagedPaintDevice;
class QPainter;

namespace lab {

/// One page: what stands on it, and how large it is.
struct Picture {
    QString name;  ///< of its file, without an ending: `loss`
    QString title; ///< over it
    QString note;  ///< small, under the title: what the picture leaves out; may be empty
    QSize size;    ///< in units of text 12 high: pixels of an SVG or a PNG at scale 1, points of a PDF
    std::function<void(QPainter&, const QRectF&, const Theme&)> draw; ///< into the area below the title
};

enum class PictureFormat : std::uint8_t { Svg, Png, Pdf };
inline constexpr PictureFormat k_picture_formats[] = {PictureFormat::Svg, PictureFormat::Png,
                                                      PictureFormat::Pdf};

/// `svg`, `png`, `pdf`
[[nodiscard]] QString endingOf(PictureFormat format);

/// How pictures become a file.
struct PictureStyle {
    const Theme* theme = &lightTheme();
    double scale = 2; ///< pixels of a PNG per unit
    /// Where the picture comes from, as keys and values: text chunks of a PNG, the description of an SVG. `Software`
    /// is also a PDF's creator.
    std::vector<std::pair<QString, QString>> provenance;
};

/// The font that pictures are drawn with, whatever the screen's is.
[[nodiscard]] QFont pictureFont();

/// What the pages take, one above the other.
[[nodiscard]] QSize sheetOf(std::span<const Picture> pages);

/// The pages as one file: one above the other, in a PDF one after the other. The same for every screen; text is text,
/// with a list of families in an SVG and embedded in a PDF. Equal pages give equal bytes, but for the date and the time
/// that Qt writes into every PDF. Needs a QApplication, on any platform. Empty where the
/// picture cannot be made: a PNG holds at most 100 million pixels.
[[nodiscard]] QByteArray fileOf(std::span<const Picture> pages, PictureFormat format,
                                const PictureStyle& style);

/// The pages on paper, each as large as there is room for. False where the device cannot be painted on.
[[nodiscard]] bool printPages(std::span<const Picture> pages, QPagedPaintDevice& device, const Theme& theme);

/// `scale` pixels per unit: what a PNG holds. Null where there would be too many of them.
[[nodiscard]] QImage imageOf(std::span<const Picture> pages, const PictureStyle& style);

} // namespace lab
