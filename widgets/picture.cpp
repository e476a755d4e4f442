#include "widgets/picture.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include <algorithm>

namespace lab {

namespace {

constexpr double k_side = 16;
constexpr double k_head = 40; ///< for the title
constexpr double k_note = 16; ///< more, where there is a note
constexpr double k_foot = 12;
constexpr double k_most_pixels = 1e8; ///< 400 MB while it is drawn
constexpr int k_dots_per_inch = 96;   ///< of an SVG and of a PNG at scale 1, as CSS has it

void drawPage(QPainter& painter, const Picture& page, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRect(QPoint(0, 0), page.size), theme.card);
    painter.setFont(fontFor(TextRole::Title, pictureFont()));
    painter.setPen(theme.text);
    const double width = page.size.width() - 2 * k_side;
    painter.drawText(QPointF(k_side, 27),
                     QFontMetricsF(painter.font()).elidedText(page.title, Qt::ElideRight, width));
    double top = k_head;
    if (!page.note.isEmpty()) {
        painter.setFont(fontFor(TextRole::Small, pictureFont()));
        painter.setPen(theme.muted);
        painter.drawText(QPointF(k_side, k_head + 4), page.note);
        top += k_note;
    }
    page.draw(painter, QRectF(k_side, top, width, page.size.height() - top - k_foot), theme);
    painter.restore();
}

void drawSheet(QPainter& painter, std::span<const Picture> pages, const Theme& theme)
{
    painter.fillRect(QRect(QPoint(0, 0), sheetOf(pages)), theme.card);
    for (const Picture& page : pages) {
        drawPage(painter, page, theme);
        painter.translate(0, page.size.height());
    }
}

QString sentenceOf(const PictureStyle& style)
{
    QStringList parts;
    for (const auto& [key, value] : style.provenance) {
        parts << QStringLiteral("%1: %2").arg(key, value);
    }
    return parts.join(QStringLiteral("; "));
}

/// The generator names one family only, and whoever looks at the file may not have it.
QByteArray withFamilies(const QByteArray& svg)
{
    static const QRegularExpression family(QStringLiteral("font-family=\"[^\"]*\""));
    QStringList names;
    for (const QString& name : pictureFont().families()) {
        names << (name.contains(QLatin1Char(' ')) ? QStringLiteral("'%1'").arg(name) : name);
    }
    return QString::fromUtf8(svg)
        .replace(family, QStringLiteral("font-family=\"%1\"").arg(names.join(QStringLiteral(", "))))
        .toUtf8();
}

QByteArray svgOf(std::span<const Picture> pages, const PictureStyle& style)
{
    const QSize sheet = sheetOf(pages);
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(k_dots_per_inch);
    generator.setSize(sheet);
    generator.setViewBox(QRect(QPoint(0, 0), sheet));
    generator.setTitle(pages.front().title.toHtmlEscaped()); // Qt 6.4 writes both as they are
    generator.setDescription(sentenceOf(style).toHtmlEscaped());
    QPainter painter;
    if (!painter.begin(&generator)) {
        return {};
    }
    drawSheet(painter, pages, *style.theme);
    painter.end();
    return withFamilies(buffer.data());
}

QByteArray pngOf(std::span<const Picture> pages, const PictureStyle& style)
{
    const QImage image = imageOf(pages, style);
    QBuffer buffer;
    return buffer.open(QIODevice::WriteOnly) && image.save(&buffer, "PNG") ? buffer.data() : QByteArray();
}

QByteArray pdfOf(std::span<const Picture> pages, const PictureStyle& style)
{
    QBuffer buffer;
    if (!buffer.open(QIODevice::WriteOnly)) {
        return {};
    }
    QPdfWriter writer(&buffer);
    writer.setResolution(72); // a unit is a point
    writer.setTitle(pages.front().title);
    writer.setCreator(sentenceOf(style));
    writer.setPageMargins(QMarginsF());
    const auto fit = [&writer](const Picture& page) {
        return writer.setPageSize(QPageSize(QSizeF(page.size), QPageSize::Point, {}, QPageSize::ExactMatch));
    };
    QPainter painter;
    if (!fit(pages.front()) || !painter.begin(&writer)) {
        return {};
    }
    for (const Picture& page : pages) {
        if (&page != &pages.front() && !(fit(page) && writer.newPage())) {
            return {};
        }
        drawPage(painter, page, *style.theme);
    }
    painter.end();
    return buffer.data();
}

} // namespace

QSize sheetOf(std::span<const Picture> pages)
{
    QSize sheet(0, 0);
    for (const Picture& page : pages) {
        sheet = QSize(std::max(sheet.width(), page.size.width()), sheet.height() + page.size.height());
    }
    return sheet;
}

bool printPages(std::span<const Picture> pages, QPagedPaintDevice& device, const Theme& theme)
{
    QPainter painter;
    if (!painter.begin(&device)) {
        return false;
    }
    for (const Picture& page : pages) {
        if (&page != &pages.front() && !device.newPage()) {
            return false;
        }
        painter.save();
        const double scale = std::min(static_cast<double>(device.width()) / page.size.width(),
                                      static_cast<double>(device.height()) / page.size.height());
        painter.scale(scale, scale);
        drawPage(painter, page, theme);
        painter.restore();
    }
    return painter.end();
}

QString endingOf(PictureFormat format)
{
    switch (format) {
    case PictureFormat::Svg:
        return QStringLiteral("svg");
    case PictureFormat::Png:
        return QStringLiteral("png");
    case PictureFormat::Pdf:
        return QStringLiteral("pdf");
    }
    return {};
}

QFont pictureFont()
{
    QFont font;
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans"),
                      QStringLiteral("Noto Sans CJK SC"), QStringLiteral("sans-serif")});
    font.setPixelSize(12);
    font.setHintingPreference(QFont::PreferNoHinting); // letters stand where they belong at any size
    return font;
}

QImage imageOf(std::span<const Picture> pages, const PictureStyle& style)
{
    const QSize pixels = sheetOf(pages) * style.scale;
    if (1.0 * pixels.width() * pixels.height() > k_most_pixels) {
        return {};
    }
    QImage image(pixels, QImage::Format_RGB32);
    const auto dots_per_metre = static_cast<int>(k_dots_per_inch * style.scale / 0.0254);
    image.setDotsPerMeterX(dots_per_metre);
    image.setDotsPerMeterY(dots_per_metre);
    for (const auto& [key, value] : style.provenance) {
        image.setText(key, value);
    }
    QPainter painter(&image);
    painter.scale(style.scale, style.scale);
    drawSheet(painter, pages, *style.theme);
    return image;
}

QByteArray fileOf(std::span<const Picture> pages, PictureFormat format, const PictureStyle& style)
{
    switch (format) {
    case PictureFormat::Svg:
        return svgOf(pages, style);
    case PictureFormat::Png:
        return pngOf(pages, style);
    case PictureFormat::Pdf:
        return pdfOf(pages, style);
    }
    return {};
}

} // namespace lab
