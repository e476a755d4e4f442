#include "core/strategy/server_core.h"

#include <algorithm>
#include <utility>

namespace lab {

ServerCore::ServerCore(StrategySetup setup)
    : setup_(std::move(setup)),
      model_(setup_.start_at, setup_.learning_rate, setup_.momentum, setup_.start_version),
      cursors_(setup_.rows_taken)
{
    cursors_.resize(setup_.nodes, 0);
}

Piece ServerCore::takeRows(NodeId node, std::int64_t rows)
{
    std::int64_t& cursor = cursors_[node.index()];
    const Piece piece{.stream = node, .first = cursor, .count = rows};
    cursor += rows;
    return piece;
}

void ServerCore::giveBack(const Piece& rows)
{
    std::int64_t& cursor = cursors_[rows.stream.index()];
    cursor = std::min(cursor, rows.first);
}

Message ServerCore::parameters(std::int64_t round) const
{
    Message message;
    message.version = model_.version();
    message.body = model_.params();
    message.round = round;
    return message;
}

void ServerCore::apply(UpdateTerms update, GroupId group, Outbox& out)
{
    const double ordinary = static_cast<double>(setup_.batch) * static_cast<double>(setup_.nodes);
    const double share = setup_.weigh_by_samples ? static_cast<double>(update.samples) / ordinary : 1;

    Applied applied;
    applied.weight = share * update.damping;
    model_.apply(update.terms, update.samples, applied.weight);
    applied.version = model_.version();
    applied.params = model_.params();
    applied.group = group;
    applied.parts = std::move(update.parts);
    applied.samples = update.samples;
    applied.decode_error = update.decode_error;
    out.applied(std::move(applied));
}

std::int64_t rowsOf(const Order& order)
{
    std::int64_t rows = 0;
    for (const Piece& piece : order.pieces) {
        rows += piece.count;
    }
    return rows * order.local_steps;
}

std::string listOf(const std::vector<NodeId>& nodes, const std::vector<std::string>& names)
{
    std::string list;
    for (const NodeId node : nodes) {
        list += (list.empty() ? "" : ", ") + names[node.index()];
    }
    return list;
}

} // namespace lab
