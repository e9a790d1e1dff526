/* old.c - the layouts that the rows of the old tools have had. */
#include "settings/old.h"

#define FIVE "total,interval_op_rate,interval_key_rate,"

const struct cs_old_layout cs_old_layouts[] = {
    {"2009", "total,interval_op_rate,elapsed_time", false, false, 0,
     "stress.py of November 2009"},
    {"2010-01", "total,interval_op_rate,avg_latency,elapsed_time", false, true,
     0, "stress.py of January 2010"},
    {"0.7", FIVE "avg_latency,elapsed_time", true, true, 0,
     "stress.py since February 2010, 0.7 to 1.1"},
    {"1.2-beta", FIVE "latency/95th/99th,elapsed_time", true, false, 99,
     "1.2.0 beta"},
    {"1.2.0", FIVE "latency,95th,99th,elapsed_time", true, false, 99,
     "1.2.0 and 2.0 before its release"},
    {"1.2", FIVE "latency/95th/99.9th,elapsed_time", true, false, 99.9,
     "1.2.9 and later"},
    {"2.0", FIVE "latency,95th,99.9th,elapsed_time", true, false, 99.9, "2.0"},
};
const size_t cs_old_layout_count =
    sizeof(cs_old_layouts) / sizeof(cs_old_layouts[0]);
