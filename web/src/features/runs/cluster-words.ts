export const CLUSTER_HINT = "A key of the cases’ metadata. Results of the same value belong together, and intervals are over the values.";
