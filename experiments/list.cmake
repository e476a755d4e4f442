# The experiments that are shipped, in the order in which they are offered: the names of the files here.
set(LAB_EXPERIMENTS balanced unbalanced severe-straggler)
