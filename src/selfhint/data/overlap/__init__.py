"""Problems that are the same, or nearly: within a data set (`near_index`) and in benchmarks (`benchmark_index`)."""
