#include "core/grouping/quadrature.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lab {
namespace {

constexpr std::array k_legendre_at{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                   0.9602898564975363};
constexpr std::array k_legendre_weight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                       0.1012285362903763};

/// What a quadrature has to get right: the integrals of the mean law, of the maximum and of the minimum.
using Probe = std::array<double, 3>;

double distance(const Probe& one, const Probe& other)
{
    double most = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        most = std::max(most, std::abs(one[i] - other[i]));
    }
    return most;
}

class Builder {
public:
    Builder(std::span<const TaskLaw> laws, const QuadratureRules& rules);
    Quadrature build();

private:
    [[nodiscard]] std::vector<double> breaks() const;
    [[nodiscard]] Probe probe(double t) const;
    [[nodiscard]] Probe integral(const Quadrature& places) const;
    [[nodiscard]] bool isSmoothPiece(double from) const;
    void addPiece(double from, double to);
    void addSmooth(double from, double to, const Quadrature& whole, std::size_t halvings);
    void addTail(double from);
    void append(const Quadrature& places);

    std::span<const TaskLaw> laws_;
    QuadratureRules rules_;
    std::vector<const TaskLaw*> smooth_;
    bool is_crowded_ = false;
    double tolerance_ = 0;
    Quadrature result_;
};

/// Eight places in a piece, or two; evenly in log t where it spans more than an octave, as power laws like it.
Quadrature legendre(double from, double to, bool takes_two = false)
{
    constexpr std::array k_two_at{0.5773502691896257};
    constexpr std::array k_two_weight{1.0};
    const std::span<const double> places_at = takes_two ? std::span<const double>(k_two_at) : k_legendre_at;
    const std::span<const double> weights =
        takes_two ? std::span<const double>(k_two_weight) : k_legendre_weight;
    Quadrature places;
    const bool is_wide = from > 0 && to > 2 * from;
    const double low = is_wide ? std::log(from) : from;
    const double high = is_wide ? std::log(to) : to;
    const double half = (high - low) / 2;
    for (const double sign : {-1.0, 1.0}) {
        for (std::size_t i = 0; i < places_at.size(); ++i) {
            const double x = (low + high) / 2 + sign * half * places_at[i];
            const double t = is_wide ? std::exp(x) : x;
            places.at.push_back(t);
            places.weight.push_back(weights[i] * half * (is_wide ? t : 1));
        }
    }
    return places;
}

Builder::Builder(std::span<const TaskLaw> laws, const QuadratureRules& rules) : laws_(laws), rules_(rules)
{
    LAB_EXPECTS(!laws.empty());
    tolerance_ = laws.front().mean();
    for (const TaskLaw& law : laws) {
        tolerance_ = std::min(tolerance_, law.mean());
        if (!law.isDiscrete()) {
            smooth_.push_back(&law);
        }
    }
    tolerance_ *= rules.tolerance;
}

/// The jumps, and a few quantiles of each smooth law so that no piece is so wide that it hides one.
std::vector<double> Builder::breaks() const
{
    std::vector<double> places{0};
    for (const TaskLaw& law : laws_) {
        const std::vector<double> corners = law.corners();
        places.insert(places.end(), corners.begin(), corners.end());
    }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (rules_.most_pieces > 0 && places.size() > rules_.most_pieces) {
        std::vector<double> few;
        for (std::size_t i = 0; i < rules_.most_pieces; ++i) {
            few.push_back(places[i * (places.size() - 1) / (rules_.most_pieces - 1)]);
        }
        places = std::move(few);
    }
    for (const TaskLaw* law : smooth_) {
        const double width = (law->quantile(0.9) - law->quantile(0.1)) / 4;
        for (const double probability : {1e-6, 0.02, 0.5, 0.98, 0.9999}) {
            const double place = law->quantile(probability);
            const auto next = std::ranges::lower_bound(places, place);
            const bool is_free_above = next == places.end() || *next - place > width;
            const bool is_free_below = next == places.begin() || place - *std::prev(next) > width;
            if (is_free_above && is_free_below) {
                places.insert(next, place);
            }
        }
    }
    return places;
}

Probe Builder::probe(double t) const
{
    double sum = 0;
    double some_unfinished = 0;
    double none_finished = 1;
    for (const TaskLaw& law : laws_) {
        const double unfinished = law.survival(t);
        sum += unfinished;
        some_unfinished += (1 - some_unfinished) * unfinished;
        none_finished *= unfinished;
    }
    return {sum / static_cast<double>(laws_.size()), some_unfinished, none_finished};
}

Probe Builder::integral(const Quadrature& places) const
{
    Probe sum{};
    for (std::size_t i = 0; i < places.at.size(); ++i) {
        const Probe here = probe(places.at[i]);
        for (std::size_t j = 0; j < sum.size(); ++j) {
            sum[j] += places.weight[i] * here[j];
        }
    }
    return sum;
}

/// Some smooth law is on its way down there. (One that is still all up where the piece begins either begins at a
/// corner, which is a break, or is lognormal.)
bool Builder::isSmoothPiece(double from) const
{
    return std::ranges::any_of(smooth_, [from](const TaskLaw* law) {
        const std::vector<double> corners = law->corners();
        return (corners.empty() || corners.front() <= from) && law->survival(from) > 1e-18;
    });
}

void Builder::append(const Quadrature& places)
{
    result_.at.insert(result_.at.end(), places.at.begin(), places.at.end());
    result_.weight.insert(result_.weight.end(), places.weight.begin(), places.weight.end());
}

void Builder::addPiece(double from, double to)
{
    if (isSmoothPiece(from)) {
        addSmooth(from, to, legendre(from, to, is_crowded_), is_crowded_ ? 0 : rules_.most_halvings);
    } else {
        result_.at.push_back((from + to) / 2);
        result_.weight.push_back(to - from);
    }
}

void Builder::addSmooth(double from, double to, const Quadrature& whole, std::size_t halvings)
{
    if (halvings == 0) {
        append(whole);
        return;
    }
    const double middle = from > 0 && to > 2 * from ? std::sqrt(from * to) : (from + to) / 2;
    const Quadrature left = legendre(from, middle);
    const Quadrature right = legendre(middle, to);
    Probe halves = integral(left);
    const Probe other = integral(right);
    for (std::size_t i = 0; i < halves.size(); ++i) {
        halves[i] += other[i];
    }
    if (distance(halves, integral(whole)) <= tolerance_) {
        append(whole);
        return;
    }
    addSmooth(from, middle, left, halvings - 1);
    addSmooth(middle, to, right, halvings - 1);
}

void Builder::addTail(double from)
{
    double spread = 0;
    for (const TaskLaw* law : smooth_) {
        spread = std::max(spread, (law->quantile(0.999) - law->quantile(0.5)) / 4);
    }
    constexpr double k_left = -3.5; // t - from = 5e-12 spreads
    constexpr double k_right = 6.7; // t - from = 1e276 spreads: power laws barely above 1 need it
    Quadrature tail;
    Probe before{};
    for (int halvings = 2; halvings <= 6; ++halvings) {
        const double step = std::ldexp(1.0, -halvings);
        const auto places = static_cast<int>((k_right - k_left) / step);
        tail = {};
        for (int i = 0; i <= places; ++i) {
            const double u = k_left + i * step;
            const double reach = spread * std::exp(std::numbers::pi / 2 * std::sinh(u));
            const double weight = step * reach * std::numbers::pi / 2 * std::cosh(u);
            // What adds nothing even to the maximum is not worth carrying; the tail's far end mostly is such.
            if (weight * probe(from + reach)[1] > tolerance_ * 1e-3) {
                tail.at.push_back(from + reach);
                tail.weight.push_back(weight);
            }
        }
        const Probe now = integral(tail);
        if (distance(now, before) <= tolerance_) {
            break;
        }
        before = now;
    }
    append(tail);
}

Quadrature Builder::build()
{
    const std::vector<double> places = breaks();
    is_crowded_ = rules_.most_pieces > 0 && places.size() > rules_.most_pieces / 4;
    for (std::size_t i = 1; i < places.size(); ++i) {
        addPiece(places[i - 1], places[i]);
    }
    if (!smooth_.empty()) {
        addTail(places.back());
    }
    return std::move(result_);
}

} // namespace

Quadrature quadratureFor(std::span<const TaskLaw> laws, const QuadratureRules& rules)
{
    return Builder(laws, rules).build();
}

} // namespace lab
