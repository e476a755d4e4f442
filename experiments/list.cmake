# The experiments that are shipped, in the order in which they are offered: the names of the files here.
set(LAB_EXPERIMENTS
    balanced
    unbalanced
    severe-straggler
    e1-barrier-cost
    e2-unbalanced-speeds
    e3-severe-straggler
    e4-coding-restores
    e5a-transient-slowdowns
    e5b-a-node-dies
    e6-groups-and-redundancy)
