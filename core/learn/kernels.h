#pragma once

namespace lab {

/// Makes what Eigen computes (gradient codes; the kernels of gradients are ours) independent of the host's caches. Call
/// it first in every main(), before any thread starts.
///
/// Eigen cuts its matrix products to the cache sizes it finds, the cut decides the order of the sums, and the order
/// decides the last bits: without this, two machines of one type could disagree on a fingerprint.
void pinKernels();

} // namespace lab
