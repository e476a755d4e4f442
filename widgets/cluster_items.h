#pragma once

#include "widgets/text_label.h"
#include "widgets/theme.h"

#include <QGraphicsItem>

#include <vector>

namespace lab {

/// The box round a group, with its name and pace. Draws what it is told.
class GroupItem final : public QGraphicsItem {
public:
    struct Look {
        QString name;   ///< `Group A`
        QString kind;   ///< `fast`
        QString pace;   ///< `2.9 rounds/s`
        QString notice; ///< `n4 joins next round`; else empty
        QString offer;  ///< `Add n4 to Group B` while something is dragged over it; else empty
        friend bool operator==(const Look&, const Look&) = default;
    };

    GroupItem(GroupId group, const QFont& base);

    [[nodiscard]] GroupId group() const { return group_; }
    void setLook(const Look& look, const Theme& theme);
    void setExtent(QSizeF extent, double header);

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    GroupId group_;
    Look look_;
    const Theme* theme_ = nullptr;
    QSizeF extent_;
    double header_ = 0;
    TextLabel name_;
    TextLabel kind_;
    TextLabel pace_;
    TextLabel notice_;
    TextLabel offer_;
};

/// The box of the parameter server.
class ServerItem final : public QGraphicsItem {
public:
    explicit ServerItem(const QFont& base);

    void setLook(const QString& title, const QString& facts, const Theme& theme);
    void setExtent(QSizeF extent);

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    /// As wide as it should be, or as its words need.
    [[nodiscard]] QRectF box() const;

    QSizeF extent_;
    const Theme* theme_ = nullptr;
    TextLabel title_;
    TextLabel facts_;
};

/// All lines between groups and server, and the messages that travel along them: one item, since they change together.
class LinksItem final : public QGraphicsItem {
public:
    struct Link {
        QPointF group;
        QPointF server;
        friend bool operator==(const Link&, const Link&) = default;
    };
    struct Dot {
        std::size_t link = 0;
        double share = 0; ///< of the way to the server, in hundredths
        friend bool operator==(const Dot&, const Dot&) = default;
    };

    void setLinks(std::vector<Link> links, QRectF area);
    void setDots(std::vector<Dot> dots, const Theme& theme);

    [[nodiscard]] QRectF boundingRect() const override { return area_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    const Theme* theme_ = nullptr;
    QRectF area_;
    std::vector<Link> links_;
    std::vector<Dot> dots_;
};

} // namespace lab
