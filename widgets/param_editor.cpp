#include "widgets/param_editor.h"

#include "widgets/choice_row.h"
#include "widgets/folding_layout.h"
#include "widgets/slider_row.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QRegularExpressionValidator>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

const std::string k_auto = "auto";

/// A number of any kind as a double; nothing for words such as `auto`.
std::optional<double> numberOf(const ParamValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return *real;
    }
    return std::nullopt;
}

QString wordOf(const ParamValue& value)
{
    const auto* word = std::get_if<std::string>(&value);
    return word == nullptr ? QString() : QString::fromStdString(*word);
}

QString listOf(const ParamValue& value)
{
    const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value);
    if (numbers == nullptr) {
        return wordOf(value);
    }
    QStringList parts;
    for (const std::int64_t number : *numbers) {
        parts << QString::number(number);
    }
    return parts.join(QStringLiteral(", "));
}

ParamValue listFrom(const QString& text)
{
    if (text.trimmed().isEmpty() || text.trimmed() == QString::fromStdString(k_auto)) {
        return k_auto;
    }
    std::vector<std::int64_t> numbers;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        numbers.push_back(part.trimmed().toLongLong());
    }
    return numbers;
}

/// Words of the file as words for people: `cyclic_repetition` -> `Cyclic repetition`.
QString readable(const std::string& word)
{
    QString text = QString::fromStdString(word).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    return text;
}

/// The words of a check box, whose own text could not be wrapped. A click on them is one on the box.
class Caption final : public QLabel {
public:
    Caption(const QString& text, QCheckBox& box, QWidget* parent) : QLabel(text, parent), box_(box)
    {
        setWordWrap(true);
        setBuddy(&box);
    }

protected:
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        if (event->button() == Qt::LeftButton && rect().contains(event->pos())) {
            box_.click();
        }
    }
    void mousePressEvent(QMouseEvent* event) override { event->accept(); }

private:
    QCheckBox& box_;
};

} // namespace

ParamEditor::ParamEditor(const ParamSpec& spec, QWidget* parent) : QWidget(parent), name_(spec.name)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    QWidget* control = nullptr;
    switch (spec.type) {
    case ParamSpec::Type::Whole:
    case ParamSpec::Type::Real:
        control = makeNumber(spec, false);
        break;
    case ParamSpec::Type::WholeOrAuto:
        control = makeNumber(spec, true);
        break;
    case ParamSpec::Type::Choice:
        control = makeChoice(spec);
        break;
    case ParamSpec::Type::Toggle:
        control = makeToggle(spec);
        break;
    case ParamSpec::Type::WholesOrAuto:
        control = makeList(spec);
        break;
    }
    layout->addWidget(control);
    setObjectName(QString::fromStdString("param_" + spec.name));
    setToolTip(QString::fromStdString(spec.help));
    setWhatsThis(QString::fromStdString(spec.help));
    setValue(spec.initial);
}

QWidget* ParamEditor::makeNumber(const ParamSpec& spec, bool may_be_auto)
{
    const bool is_real = spec.type == ParamSpec::Type::Real;
    SliderRow::Range range;
    range.least = may_be_auto ? spec.least - 1 : spec.least;
    range.most = std::max(spec.most, range.least + (is_real ? 0.01 : 1));
    range.decimals = is_real ? (range.most - range.least <= 2 ? 3 : 2) : 0;
    // A slider over several decades is of no use on a linear scale.
    range.scale = range.least > 0 && range.most / range.least > 200 ? SliderRow::Scale::Logarithmic
                                                                    : SliderRow::Scale::Linear;
    auto* row = new SliderRow(QString::fromStdString(spec.title), range, this);
    if (may_be_auto) {
        row->setLeastText(tr("auto"));
    }
    show_ = [row, range](const ParamValue& value) { row->setValue(numberOf(value).value_or(range.least)); };
    mark_ = [row](bool pending) { row->setPending(pending); };
    connect(row, &SliderRow::edited, this, [this, is_real, may_be_auto, range](double value) {
        if (may_be_auto && value <= range.least) {
            Q_EMIT edited(ParamValue(k_auto));
        } else if (is_real) {
            Q_EMIT edited(ParamValue(value));
        } else {
            Q_EMIT edited(ParamValue(std::int64_t{std::llround(value)}));
        }
    });
    return row;
}

QWidget* ParamEditor::makeChoice(const ParamSpec& spec)
{
    QStringList words;
    for (const std::string& choice : spec.choices) {
        words << readable(choice);
    }
    auto* row = new ChoiceRow(QString::fromStdString(spec.title), words, this);
    show_ = [row, choices = spec.choices](const ParamValue& value) {
        const auto* word = std::get_if<std::string>(&value);
        const auto at = word == nullptr ? choices.end() : std::ranges::find(choices, *word);
        row->setIndex(at == choices.end() ? -1 : static_cast<int>(at - choices.begin()));
    };
    mark_ = [row](bool pending) { row->setPending(pending); };
    connect(row, &ChoiceRow::edited, this, [this, choices = spec.choices](int index) {
        Q_EMIT edited(ParamValue(choices.at(static_cast<std::size_t>(index))));
    });
    return row;
}

QWidget* ParamEditor::makeToggle(const ParamSpec& spec)
{
    const QString title = QString::fromStdString(spec.title);
    auto* holder = new QWidget(this);
    auto* box = new QCheckBox(holder);
    box->setAccessibleName(title);
    auto* caption = new Caption(title, *box, holder);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(box);
    row->addWidget(caption, 1);
    show_ = [box](const ParamValue& value) {
        const auto* on = std::get_if<bool>(&value);
        box->setChecked(on != nullptr && *on);
    };
    mark_ = [caption, title](bool pending) {
        caption->setText(pending ? tr("%1 (at Reset)").arg(title) : title);
    };
    connect(box, &QCheckBox::clicked, this, [this](bool on) { Q_EMIT edited(ParamValue(on)); });
    return holder;
}

QWidget* ParamEditor::makeList(const ParamSpec& spec)
{
    const QString title = QString::fromStdString(spec.title);
    auto* holder = new QWidget(this);
    auto* label = new QLabel(title, holder);
    auto* line = new QLineEdit(holder);
    line->setAccessibleName(title);
    line->setPlaceholderText(tr("auto, or 1, 2, 1"));
    static const QRegularExpression pattern(QStringLiteral("\\s*(auto|\\d{1,6}(\\s*,\\s*\\d{1,6})*)?\\s*"));
    line->setValidator(new QRegularExpressionValidator(pattern, line));
    label->setBuddy(line);
    auto* row = new FoldingLayout(holder);
    row->addWidget(label);
    row->addWidget(line);
    show_ = [line](const ParamValue& value) { line->setText(listOf(value)); };
    mark_ = [label, title](bool pending) {
        label->setText(pending ? tr("%1 (at Reset)").arg(title) : title);
    };
    connect(line, &QLineEdit::editingFinished, this, [this, line] {
        if (line->isModified()) {
            line->setModified(false);
            Q_EMIT edited(listFrom(line->text()));
        }
    });
    return holder;
}

} // namespace lab
