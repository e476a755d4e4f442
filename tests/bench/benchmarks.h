#pragma once

// The suites of bench_main.cpp.

void registerGradients(); ///< samples per second of plain descent, and decodings per second
void registerRuns();      ///< updates and events per second of whole runs
